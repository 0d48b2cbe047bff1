public import Foundation
public import MarqueeClient

extension MarqueeClient {
    /// A client that shows these screens without a network, for SwiftUI previews.
    ///
    /// ```swift
    /// #Preview { HomeView(client: .preview([home], favorites: ["episode/pilot"])) }
    /// ```
    ///
    /// It is a real client of a `ScriptedServer`: favorites can be set, sections sorted and widened, and searches find
    /// things.
    ///
    /// - Parameters:
    ///   - screens: any other screen is refused.
    ///   - favorites: of the user, the newest first.
    ///   - imageBaseURL: where names of pictures lead; `nil` for none.
    ///   - network: `.silent` shows what people see before anything has arrived.
    public static func preview(
        _ screens: [SampleScreen], favorites: [Subject] = [], imageBaseURL: String? = nil,
        network: ScriptedNetwork = .online
    ) -> MarqueeClient {
        let server = ScriptedServer(screens, imageBaseURL: imageBaseURL)
        for subject in favorites.reversed() { server.set(subject) }
        server.network = network
        return server.makeClient()
    }

    /// A client that shows the screens of a file that `marquee get --bodies` wrote; see `SampleFile`.
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
