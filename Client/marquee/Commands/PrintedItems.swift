import Foundation
import MarqueeClient
import MarqueeModel

/// Reports printed items as seen, until newer ones are printed.
actor PrintedItems {
    private let client: MarqueeClient
    private let screen: ScreenID
    /// How many items of a section are printed at most; 0 for all.
    private let rows: Int
    private let reportsSeen: Bool
    private let start = ContinuousClock.now
    private var inView = ItemsInView()
    private var heads: [String: SectionHead] = [:]
    /// Items to be reported as tapped once they are printed: `section/item`.
    private var taps: [String]

    init(client: MarqueeClient, screen: ScreenID, rows: Int, reportsSeen: Bool, taps: [String]) {
        self.client = client
        self.screen = screen
        self.rows = rows
        self.reportsSeen = reportsSeen
        self.taps = taps
    }

    private var now: UInt64 { UInt64(max(0, (ContinuousClock.now - start) / .milliseconds(1))) }

    func show(_ update: ScreenUpdate) {
        var shown: [ItemsInView.Key: ItemsInView.Shown] = [:]
        let revision = update.status.revision.catalogueRevision
        for section in update.screen.sections {
            heads[section.id] = section.head
            for (index, item) in section.items.prefix(rows == 0 ? .max : rows).enumerated() {
                let place = UInt32(clamping: index + 1)
                tap(item.id, of: section, place: place, revision: revision)
                guard reportsSeen, let impressions = section.head.counting?.impressions else { continue }
                shown[ItemsInView.Key(section: section.id, item: item.id)] = ItemsInView.Shown(
                    share: 1, place: place, revision: revision, impressions: impressions)
            }
        }
        tell(inView.update(shown, now: now))
    }

    private func tap(_ item: String, of section: ScreenSection, place: UInt32, revision: UInt64) {
        guard let index = taps.firstIndex(of: "\(section.id)/\(item)") else { return }
        taps.remove(at: index)
        client.observed(
            [ItemEvent(.tap, item: item, place: place, at: ItemEvent.milliseconds(Date()), revision: revision)],
            in: section.id, of: screen, section.head)
    }

    /// Ends the reports, because nothing is shown from now on. Waits a while until the server has them all.
    /// - Returns: a message, if something went wrong.
    func end() async -> String? {
        tell(inView.update([:], now: now))
        if let tap = taps.first { return "there is no item '\(tap)' to tap; name one as section/item" }
        guard (try? await client.observationsReported(within: Self.patience)) == true else {
            return "some observations aren't reported yet; they stay in the mirror, and go with the next connection"
        }
        return nil
    }

    static let patience = Duration.seconds(5)

    private func tell(_ impressions: [ItemsInView.Impression]) {
        for (section, impressions) in Dictionary(grouping: impressions, by: \.key.section) {
            guard let head = heads[section] else { continue }
            let (now, wall) = (now, Date())
            client.observed(impressions.map { ItemEvent($0, now: now, wall: wall) }, in: section, of: screen, head)
        }
    }
}
