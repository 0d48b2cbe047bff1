import Foundation
public import MarqueeClient
public import MarqueeUIKit

/// The app: one client, and a model for each screen that it shows.
@MainActor public final class AppModel {
    public let client: MarqueeClient

    public init(client: MarqueeClient) { self.client = client }

    public func screen(_ id: ScreenID) -> ScreenModel<Dive> { ScreenModel(id, of: client) { Dive($0) } }

    /// A line above a screen that isn't live; `nil` when there is nothing to say.
    public nonisolated static func words(for notice: ScreenNotice?) -> String? {
        switch notice {
        case nil, .loading: nil
        case .unavailable(let error): error.localizedDescription
        case .stored(nil): "Offline. You see what was stored."
        case .stored(let date?): "Offline. As of \(date.formatted(date: .abbreviated, time: .shortened))."
        }
    }
}
