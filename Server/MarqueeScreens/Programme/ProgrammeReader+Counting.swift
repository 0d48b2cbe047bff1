import MarqueeModel
import MarqueeTypes
import Yams

/// Reads the observations that clients report: `impressions: {share: 0.5, for: 1s, again: 30m}` and `taps: true`, of a
/// section or, at the top level, of all sections without settings of their own.
extension ProgrammeReader {
    /// - Returns: `nil` if nothing is counted.
    mutating func readCounting(_ fields: Fields) -> Counting? {
        var found = counting ?? Counting()
        if let node = fields["impressions"] { found.impressions = impressions(node) }
        if let node = fields["taps"] { found.taps = flag(node, "word for taps") ?? false }
        return found == Counting() ? nil : found
    }

    /// Reads `true`, `false` or `{share, for, again}`, any of which may be missing.
    private mutating func impressions(_ node: Node) -> Counting.Impressions? {
        guard case .mapping = node else {
            return flag(node, "word for impressions") == true ? Counting.Impressions() : nil
        }
        guard let fields = fields(node, "'impressions'", allowed: ["share", "for", "again"]) else { return nil }
        var impressions = Counting.Impressions()
        if let share = fields["share"].flatMap({ number($0, "'share'", in: ProgrammeLimits.seenShare) }) {
            impressions.share = UInt32((share * 100).rounded())
        }
        if let time = fields["for"].flatMap({ duration($0, "'for'", in: ProgrammeLimits.seenTime) }) {
            impressions.duration = time
        }
        if let time = fields["again"].flatMap({ duration($0, "'again'", in: ProgrammeLimits.seenAgain) }) {
            impressions.again = time
        }
        return impressions
    }

    private static let units: [(name: String, milliseconds: UInt32)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Reads `500ms`, `1s`, `30m`, `2h` or `1d`, in milliseconds.
    private mutating func duration(_ node: Node, _ what: String, in range: ClosedRange<UInt32>) -> UInt32? {
        let text = node.scalar?.string ?? ""
        let digits = text.prefix { ("0"..."9").contains($0) }
        let unit = Self.units.first { $0.name == text.dropFirst(digits.count) }
        guard (1...9).contains(digits.utf8.count), let count = UInt32(digits), let unit else {
            report(node, "\(what) is a whole number with ms, s, m, h or d, such as 30m, not '\(text.prefix(64))'")
            return nil
        }
        let (time, isBeyond) = count.multipliedReportingOverflow(by: unit.milliseconds)
        guard !isBeyond, range.contains(time) else {
            report(
                node,
                "\(what) is from \(range.lowerBound) ms to \(range.upperBound / 3_600_000) h, not \(text.prefix(64))")
            return nil
        }
        return time
    }
}
