import Foundation
public import MarqueeClient
public import MarqueeSwiftUI
public import Observation

/// The app: one client, and a model for each screen that it shows.
@MainActor @Observable public final class AppModel {
    public let client: MarqueeClient
    public let home: ScreenModel<Podcast>
    public let favorites: ScreenModel<Podcast>
    public let search: SearchModel<Podcast>
    public let connection: ConnectionModel

    public init(client: MarqueeClient) {
        self.client = client
        home = ScreenModel(.home, of: client) { Podcast($0) }
        favorites = ScreenModel(.favorites, of: client) { Podcast($0) }
        search = SearchModel(of: client) { Podcast($0) }
        connection = ConnectionModel(of: client)
    }

    /// The screen about an episode or a show.
    public func detail(_ id: ScreenID) -> ScreenModel<Podcast> {
        ScreenModel(id, of: client) { Podcast($0) }
    }

    /// A line to show above everything; `nil` when all is well.
    public var notice: String? {
        if let rejection = connection.rejections.last { return "Not saved: \(rejection.error.localizedDescription)" }
        if case .stored = home.phase, !connection.isConnected { return "Offline. You see what was stored." }
        return nil
    }
}
