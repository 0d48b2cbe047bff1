import Foundation
import MarqueePresetRecords
import PostgresSupport
import ProcessSupport

/// A server whose catalogue follows an address, files or lines.
final class FeedWorld: FollowedWorld {
    static let types = """
        types:
          product: {fields: {sku: text, title: text, price: number}, id: sku}
        """

    let folder = FileManager.default.temporaryDirectory.appending(path: "marquee-feed-\(UUID().uuidString)")
    let server: RunningProcess
    let address: String

    /// - Parameters:
    ///   - origin: the lines of the source file that say where the rows are.
    ///   - table: the settings of the table besides its type.
    convenience init(_ origin: String, table: String = "") async throws {
        try await self.init(
            files: [
                "types.yaml": Self.types,
                "source.yaml": "source: feed\ntypes: types.yaml\n\(origin)\ntables: {rows: {type: product\(table)}}\n",
            ])
    }

    /// One with the preset types, and all tables of a source that has them.
    convenience init(presets origin: String) async throws {
        try await self.init(
            files: [
                "types.yaml": PresetCatalogue.types.declarations,
                "source.yaml": "source: feed\ntypes: types.yaml\n\(origin)\n",
            ], descriptors: PresetCatalogue.types.descriptors)
    }

    private init(files: [String: String], descriptors: [UInt8] = []) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        if !descriptors.isEmpty { try Data(descriptors).write(to: folder.appending(path: "movies.desc")) }
        let port = Int(try PostgresServer.freePort())
        address = "127.0.0.1:\(port)"
        server = try RunningProcess(
            "marquee-server", ["serve", "--data", "data", "--types", "types.yaml", "--open", "--listen", address],
            in: folder)
        _ = try await server.line(with: " ready on ")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ name: String, _ text: String) throws {
        try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }

    func launch(_ options: [String] = [], input: URL? = nil) throws -> RunningProcess {
        try RunningProcess(
            "marquee-server", ["follow", "source.yaml", "--to", address] + options, in: folder, input: input)
    }

    func source(_ command: String, _ arguments: [String]) async throws -> (status: Int32?, text: String) {
        let process = try RunningProcess("marquee-server", ["source", command] + arguments, in: folder)
        let status = try await process.ended()
        return (status, process.output + process.errors)
    }

    /// The ids of the records that were put or removed since a revision, each time anew.
    func touched(after revision: Int) throws -> [String] {
        try changes(after: revision).flatMap { commit in
            commit.changes.matches(of: #/"id":"([^"]*)","type":"product"/#).map { String($0.1) }
        }.sorted()
    }

    /// Waits until the catalogue has these products alone, by title.
    func until(_ products: [String: String]) async throws {
        let wanted = Dictionary(uniqueKeysWithValues: products.map { Self.record($0, $1) })
        try await eventually("the products \(wanted.keys.sorted()), not \((try? records()) ?? [:])") {
            try records() == wanted
        }
    }

    private static func record(_ sku: String, _ title: String) -> (String, String) {
        (sku, #"{"sku":"\#(sku)","title":"\#(title)"}"#)
    }

    /// Products as a document, in the order of their ids.
    static func json(_ products: [String: String]) -> String {
        "[" + products.sorted { $0.key < $1.key }.map { record($0.key, $0.value).1 }.joined(separator: ", ") + "]"
    }
}
