import Foundation
import MarqueeClient
import MarqueeModel

/// Reports what the terminal shows as seen.
struct TerminalSight {
    private let client: MarqueeClient
    private let start = ContinuousClock.now
    private var inView = ItemsInView()
    /// The screen that is looked at, and its sections' heads.
    private var screen: (id: ScreenID, heads: [String: SectionHead])?

    init(_ client: MarqueeClient) { self.client = client }

    private var now: UInt64 { UInt64(max(0, (ContinuousClock.now - start) / .milliseconds(1))) }

    /// Called whenever anything may have changed, and a few times a second.
    mutating func look(at browser: Browser) {
        guard let page = browser.pages.last else { return }
        if page.id != screen?.id { end() }
        screen = (page.id, Dictionary(page.sections.map { ($0.id, $0.head) }) { first, _ in first })
        tell(inView.update(browser.itemsInView, now: now))
    }

    /// Nothing is shown any more.
    mutating func end() { tell(inView.update([:], now: now)) }

    private func tell(_ impressions: [ItemsInView.Impression]) {
        guard let screen else { return }
        let (now, wall) = (now, Date())
        for (section, impressions) in Dictionary(grouping: impressions, by: \.key.section) {
            guard let head = screen.heads[section] else { continue }
            client.observed(impressions.map { ItemEvent($0, now: now, wall: wall) }, in: section, of: screen.id, head)
        }
    }
}
