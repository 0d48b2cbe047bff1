import Foundation
public import MarqueeClient

/// An episode or a show as the app shows it: decoded once, when it arrives.
public struct Podcast: Hashable, Sendable {
    public var title: String
    public var subtitle: String
    /// 0...1 of an episode that someone has begun to hear.
    public var progress: Double?
    /// Where a tap leads.
    public var target: ScreenID?

    public init(_ item: ScreenItem) {
        guard case .card(let card) = item.content else {
            (title, subtitle) = (item.id, "")
            return
        }
        title = card.title
        subtitle = card.subtitle ?? ""
        if let done = card.progress, let total = done.total, total > 0 { progress = min(1, done.value / total) }
        // An address with a scheme leads out of the app.
        target = card.actions.first { $0.id == "open" && !$0.target.isEmpty && URL(string: $0.target)?.scheme == nil }
            .map { ScreenID($0.target) }
    }
}
