public import Foundation
public import MarqueeClient

extension MarqueeClient {
    /// A client that shows these screens without a network, for SwiftUI previews.
    ///
    /// ```swift
    /// #Preview { HomeView(client: .preview([home], favorites: ["episode/pilot"])) }
    /// ```
    ///
    /// It is a real client of a `ScriptedServer`: favorites can be set, sections can be sorted and show more, and
    /// searches find items.
    ///
    /// - Parameters:
    ///   - screens: the server's screens; any other is refused.
    ///   - favorites: the user's favorites, newest first.
    ///   - imageBaseURL: the prefix of image names; `nil` for none.
    ///   - network: `.silent` shows the screen before anything has arrived.
    public static func preview(
        _ screens: [SampleScreen], favorites: [Subject] = [], imageBaseURL: String? = nil,
        network: ScriptedNetwork = .online
    ) -> MarqueeClient {
        let server = ScriptedServer(screens, imageBaseURL: imageBaseURL)
        for subject in favorites.reversed() { server.set(subject) }
        server.network = network
        return server.makeClient()
    }

    /// A client that shows the screens of a file written by `marquee get --bodies`; see `SampleFile`.
    ///
    /// If the file can't be read, `home` is refused, and the reason says why.
    public static func preview(file: URL, imageBaseURL: String? = nil) -> MarqueeClient {
        do {
            let samples = try SampleFile(contentsOf: file)
            return preview(samples.screens, favorites: samples.favorites, imageBaseURL: imageBaseURL)
        } catch {
            let server = ScriptedServer()
            server.refuse(.home, .denied("\(file.lastPathComponent): \(error)"))
            return server.makeClient()
        }
    }
}
