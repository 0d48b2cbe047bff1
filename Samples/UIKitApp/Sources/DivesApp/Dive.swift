import Foundation
public import MarqueeClient

/// A dive or a place as the app shows it: decoded once, when it arrives.
public struct Dive: Hashable, Sendable {
    public var title: String
    public var subtitle: String
    /// Where a tap leads.
    public var target: ScreenID?

    public init(_ item: ScreenItem) {
        guard case .card(let card) = item.content else {
            (title, subtitle) = (item.id, "")
            return
        }
        title = card.title
        subtitle = card.subtitle ?? ""
        // An address with a scheme leads out of the app.
        target = card.actions.first { $0.id == "open" && !$0.target.isEmpty && URL(string: $0.target)?.scheme == nil }
            .map { ScreenID($0.target) }
    }
}
