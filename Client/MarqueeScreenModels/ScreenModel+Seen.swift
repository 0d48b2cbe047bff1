import Foundation
import MarqueeClient

/// Reports of what is seen and tapped, for an app's own views. Reports that the server doesn't ask for are discarded,
/// so views needn't check.
@available(iOS 17, tvOS 17, watchOS 10, *)
extension ScreenModel {
    /// Reports which items are in view, and the visible share of each, from 0 to 1. Call it whenever that changes, such
    /// as while a list scrolls, and with an empty dictionary when the view disappears.
    public func saw(_ shares: [ItemModel<Content>.ID: Double]) {
        sight.shares = shares
        look()
    }

    /// Reports the visible share of one item, from 0 to 1; the others stay as they are.
    public func saw(_ item: ItemModel<Content>.ID, share: Double) {
        sight.shares[item] = share > 0 ? share : nil
        look()
    }

    /// Reports that a person has tapped an item.
    public func tapped(_ item: ItemModel<Content>.ID) { tell(.tap, of: item) }

    /// Reports that a person has chosen an action of an item.
    /// - Parameter action: the action's id, such as `play`.
    public func performed(_ action: String, of item: ItemModel<Content>.ID) { tell(.action, of: item, action: action) }

    /// Counts the items in view among those now shown: an item that is no longer shown isn't seen.
    func look() {
        let now = SteadyClock.now
        tell(sight.inView.update(shown, now: now), now: now)
        sight.timer?.cancel()
        guard let next = sight.inView.next else { return sight.timer = nil }
        sight.timer = Task { [weak self] in
            guard (try? await Task.sleep(for: .milliseconds(next - min(SteadyClock.now, next)))) != nil else { return }
            self?.look()
        }
    }

    private var shown: [ItemsInView.Key: ItemsInView.Shown] {
        guard !sight.shares.isEmpty else { return [:] }
        var shown: [ItemsInView.Key: ItemsInView.Shown] = [:]
        for section in sections {
            guard let impressions = section.head.counting?.impressions else { continue }
            for (index, item) in section.items.enumerated() {
                guard let share = sight.shares[item.id] else { continue }
                shown[ItemsInView.Key(section: section.id, item: item.id.item)] = ItemsInView.Shown(
                    share: share, place: UInt32(clamping: index + 1), revision: revision, impressions: impressions)
            }
        }
        return shown
    }

    private var revision: UInt64 { status?.revision.catalogueRevision ?? 0 }

    private func tell(_ impressions: [ItemsInView.Impression], now: UInt64) {
        let wall = Date()
        for (section, impressions) in Dictionary(grouping: impressions, by: \.key.section) {
            guard let head = self[section: section]?.head else { continue }
            client?.observed(
                impressions.map { ItemEvent($0, now: now, wall: wall) }, in: section, of: id, head)
        }
    }

    private func tell(_ kind: ItemEvent.Kind, of item: ItemModel<Content>.ID, action: String = "") {
        guard let section = self[section: item.section],
            let index = section.items.firstIndex(where: { $0.id == item })
        else { return }
        client?.observed(
            [
                ItemEvent(
                    kind, item: item.item, place: UInt32(clamping: index + 1), at: ItemEvent.milliseconds(Date()),
                    action: action, revision: revision)
            ], in: section.id, of: id, section.head)
    }
}

/// The items of a screen that are in view.
struct Sight<Content: Sendable> {
    var shares: [ItemModel<Content>.ID: Double] = [:]
    var inView = ItemsInView()
    /// The timer for the next check, when something has been in view for long enough.
    var timer: Task<Void, Never>?
}

/// A monotonic clock, in milliseconds since its first use.
enum SteadyClock {
    private static let start = ContinuousClock.now

    static var now: UInt64 { UInt64(max(0, (ContinuousClock.now - start) / .milliseconds(1))) }
}
