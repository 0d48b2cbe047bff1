import Foundation

/// The sample catalogue, and screens of it that all servers here serve.
enum SampleScreens {
    /// The folder of the sample catalogue.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Samples/catalogue")

    /// Two short lists, so that a thousand clients in one process keep up with what is published. Items are whole
    /// records: each publication changes what is shown.
    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - {id: top, kind: rank, source: {records: {type: movie, sort: -popularity, limit: 10}}, body: record}
              - {id: best, kind: basic, source: {records: {type: movie, sort: -vote_average, limit: 10}}, body: record}
          favorites:
            title: Favorites
            sections: [{id: favorites, kind: favorites, source: favorites, body: {movie: record}}]
        """

    /// - Returns: the programme's file, in a folder.
    static func write(to folder: URL) throws -> URL {
        let file = folder.appending(path: "programme.yaml")
        try programme.write(to: file, atomically: true, encoding: .utf8)
        return file
    }
}
