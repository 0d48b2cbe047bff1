package import MarqueeModel

/// Tracks which items of a screen are in view, since when, and which have been for long enough.
///
/// An item is reported when it leaves the view, with the time it was there; or, while it stays, after `longest`, with
/// the time until then. It has to leave before it can be reported again. Times are milliseconds of a monotonic clock.
package struct ItemsInView: Sendable {
    /// The most items in view that are tracked; further ones aren't counted.
    package static let maximum = 1_000
    /// The time in milliseconds after which an item still in view is reported, unless the server asks for longer.
    package static let longest: UInt64 = 10_000

    package struct Key: Hashable, Sendable {
        package var section: String
        package var item: String

        package init(section: String, item: String) {
            self.section = section
            self.item = item
        }
    }

    /// An item in view.
    package struct Shown: Hashable, Sendable {
        /// The visible share of the item, from 0 to 1.
        package var share: Double
        /// Its place in its section, from 1.
        package var place: UInt32
        /// The revision of the catalogue shown.
        package var revision: UInt64
        package var impressions: Counting.Impressions

        package init(share: Double, place: UInt32, revision: UInt64, impressions: Counting.Impressions) {
            self.share = share
            self.place = place
            self.revision = revision
            self.impressions = impressions
        }

        /// Whether enough of it is in view. Shares are computed from lengths, which aren't exact.
        fileprivate var counts: Bool { share * 100 + 1e-6 >= Double(impressions.share) }
    }

    /// A period during which an item was in view.
    package struct Impression: Hashable, Sendable {
        package var key: Key
        package var since: UInt64
        /// The duration in milliseconds.
        package var duration: UInt32
        /// The item as it was when it came into view.
        package var shown: Shown
    }

    private struct Stay: Sendable {
        var since: UInt64
        var shown: Shown
        var isReported = false

        /// The time at which it is reported even if it stays.
        var due: UInt64 { since.saturating(adding: max(ItemsInView.longest, UInt64(shown.impressions.duration))) }

        /// - Returns: `nil` if it wasn't in view for long enough, or has been reported.
        func impression(_ key: Key, until now: UInt64) -> Impression? {
            let duration = now - min(since, now)
            guard !isReported, duration >= UInt64(shown.impressions.duration) else { return nil }
            return Impression(key: key, since: since, duration: UInt32(clamping: duration), shown: shown)
        }
    }

    private var stays: [Key: Stay] = [:]

    package init() {}

    /// Updates the items in view.
    /// - Returns: the impressions to report, in the order in which the items came into view.
    package mutating func update(_ items: [Key: Shown], now: UInt64) -> [Impression] {
        var impressions: [Impression] = []
        for (key, stay) in stays where items[key]?.counts != true {
            if let impression = stay.impression(key, until: now) { impressions.append(impression) }
            stays[key] = nil
        }
        let new = items.filter { $0.value.counts && stays[$0.key] == nil }
        for (key, shown) in new.prefix(max(0, Self.maximum - stays.count)) {
            stays[key] = Stay(since: now, shown: shown)
        }
        return (impressions + stayed(now: now)).sorted { ($0.since, $0.shown.place) < ($1.since, $1.shown.place) }
    }

    /// Returns the impressions that are due because time has passed.
    package mutating func look(now: UInt64) -> [Impression] {
        stayed(now: now).sorted { ($0.since, $0.shown.place) < ($1.since, $1.shown.place) }
    }

    private mutating func stayed(now: UInt64) -> [Impression] {
        var impressions: [Impression] = []
        for (key, stay) in stays where stay.due <= now {
            guard let impression = stay.impression(key, until: now) else { continue }
            impressions.append(impression)
            stays[key]?.isReported = true
        }
        return impressions
    }

    /// When to call `look` again; `nil` if nothing can become due.
    package var next: UInt64? { stays.values.lazy.filter { !$0.isReported }.map(\.due).min() }
}

/// Items counted recently, which aren't counted again for a while.
struct CountedItems {
    /// The most items remembered. Beyond that, those whose time ends first are forgotten.
    static let maximum = 10_000

    struct Key: Hashable {
        var screen: String
        var section: String
        var item: String
    }

    /// The time from which each item may be counted again.
    private var until: [Key: UInt64] = [:]

    /// Whether an item may be counted; if so, it may not be counted again for `again` milliseconds.
    mutating func admits(_ key: Key, again: UInt32, now: UInt64) -> Bool {
        if let time = until[key], now < time { return false }
        guard again > 0 else { return true }
        if until[key] == nil, until.count >= Self.maximum { makeRoom(now: now) }
        until[key] = now.saturating(adding: UInt64(again))
        return true
    }

    private mutating func makeRoom(now: UInt64) {
        until = until.filter { $0.value > now }
        guard until.count >= Self.maximum else { return }
        for (key, _) in until.sorted(by: { $0.value < $1.value }).prefix(Self.maximum / 16) { until[key] = nil }
    }
}

extension UInt64 {
    fileprivate func saturating(adding other: UInt64) -> UInt64 {
        let (sum, isBeyond) = addingReportingOverflow(other)
        return isBeyond ? .max : sum
    }
}
