/// The offsets at which a section that scrolls sideways comes to rest, ascending. They are computed on demand.
public struct PageStops: RandomAccessCollection, Sendable {
    enum Rule: Sendable {
        case none
        case one
        /// Multiples of a width.
        case pages(Double)
        /// Each group's leading edge at the first one's resting place.
        case leadingEdges
        /// Each group centred in a width.
        case centres(Double)
    }

    private let rule: Rule
    private let strip: GroupStrip
    private let stripStart: Double
    private let maximum: Double
    private let isMirrored: Bool
    /// How many stops there are: at most `LayoutLimits.stops`.
    public let endIndex: Int

    /// - Parameters:
    ///   - maximum: the largest offset at which the content still fills the screen.
    ///   - isMirrored: whether offsets are measured from the other end.
    init(_ rule: Rule, strip: GroupStrip, stripStart: Double, maximum: Double, isMirrored: Bool) {
        self.rule = rule
        self.strip = strip
        self.stripStart = stripStart
        self.maximum = maximum
        self.isMirrored = isMirrored
        // Anything closer to the end than this counts as the end.
        let almost = maximum - LayoutLimits.fitTolerance
        let count =
            switch rule {
            case .none: 0
            case .one: 1
            case .pages(let width):
                PageStops.pages(of: width, before: almost) + 1
            case .leadingEdges:
                (0..<strip.groupCount).partitioningIndex { strip[$0].start >= almost } + 1
            case .centres:
                Swift.max(strip.groupCount, 1)
            }
        endIndex = Swift.min(Swift.max(count, 0), LayoutLimits.stops)
    }

    /// 0.
    public var startIndex: Int { 0 }

    /// The offset of a stop, in points from the left.
    public subscript(index: Int) -> Double {
        isMirrored ? maximum - fromLeading(endIndex - 1 - index) : fromLeading(index)
    }

    /// The stop as an offset from the leading end; also ascending.
    func fromLeading(_ index: Int) -> Double {
        switch rule {
        case .none, .one:
            return 0
        case .pages(let width):
            return bounded(Double(index) * width, at: index)
        case .leadingEdges:
            return bounded(index < strip.groupCount ? strip[index].start : 0, at: index)
        case .centres(let width):
            guard strip.groupCount > 0 else { return 0 }
            let group = strip[index]
            return stripStart + group.start + (group.resolved.size.width - width) / 2
        }
    }

    /// The last of several stops is the end of the content.
    private func bounded(_ offset: Double, at index: Int) -> Double {
        index > 0 && index == endIndex - 1 ? maximum : offset
    }

    /// How many multiples of `width`, including 0, are less than `end`.
    private static func pages(of width: Double, before end: Double) -> Int {
        guard width > 0, end > 0 else { return 0 }
        let quotient = Swift.min(end / width, Double(LayoutLimits.stops))
        // Not `rounded(.up)`: that calls the C library, which isn't linked into a program without Foundation.
        let whole = Int(quotient)
        return Double(whole) < quotient ? whole + 1 : whole
    }
}
