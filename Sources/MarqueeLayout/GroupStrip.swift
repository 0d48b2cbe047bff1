internal import MarqueeModel

/// The groups of a section, one after another along the axis in which the section continues.
///
/// Without measurements all groups are identical, so one of them and a count suffice: building and querying the strip
/// costs the same for ten items as for ten thousand. Otherwise it holds a record for each group.
struct GroupStrip: Sendable {
    /// A group's position and content.
    struct Group {
        var firstItem: Int
        /// Along the strip.
        var start: Double
        var resolved: ResolvedGroup
    }

    private struct Record {
        var firstItem: Int
        var start: Double
        /// An index into `kinds`.
        var kind: Int
    }

    private let axis: LayoutNode.Axis
    private let itemCount: Int
    private let spacing: Double
    /// The group using estimates only, then those with measured items.
    private let kinds: [ResolvedGroup]
    /// Empty if all groups are the first kind.
    private let records: [Record]
    private let overhang: (before: Double, behind: Double)
    let groupCount: Int

    /// - Parameters:
    ///   - node: already bounded (`SectionLayout.bounded()`).
    ///   - measured: sizes of existing items; empty if no item is estimated.
    init(
        _ node: LayoutNode, along axis: LayoutNode.Axis, in container: LayoutSize, spacing: Double, itemCount: Int,
        measured: [Int: LayoutSize]
    ) {
        var noTrace: LayoutTrace?
        let plain = GroupResolver.resolve(node, in: container, trace: &noTrace)
        self.axis = axis
        self.spacing = spacing
        self.itemCount = itemCount
        var kinds = [plain]
        var records: [Record] = []
        if !measured.isEmpty {
            let measuredItems = measured.keys.sorted()
            var nextMeasured = 0
            var (item, start, placed) = (0, 0.0, 0)
            while item < itemCount {
                while nextMeasured < measuredItems.count, measuredItems[nextMeasured] < item { nextMeasured += 1 }
                var kind = 0
                if nextMeasured < measuredItems.count, measuredItems[nextMeasured] < item + plain.slots.count,
                    placed < LayoutLimits.measuredPlacements
                {
                    let resolved = GroupResolver.resolve(
                        node, in: container, measured: measured, items: item..<itemCount, trace: &noTrace)
                    placed += resolved.placements
                    kinds.append(resolved)
                    kind = kinds.count - 1
                }
                records.append(Record(firstItem: item, start: start, kind: kind))
                item += kinds[kind].slots.count
                start += kinds[kind].size[axis] + spacing
            }
        }
        self.kinds = kinds
        self.records = records
        groupCount = records.isEmpty ? (itemCount + plain.slots.count - 1) / plain.slots.count : records.count
        overhang = kinds.reduce((before: 0, behind: 0)) { reach, kind in
            let own = kind.overhang(along: axis)
            return (max(reach.before, own.before), max(reach.behind, own.behind))
        }
    }

    /// Why an item is where it is in its group: resolves that group again, recording the reasons.
    ///
    /// - Parameters: the ones the strip was built from; the item must exist.
    func reasons(
        forItem item: Int, _ node: LayoutNode, in container: LayoutSize, measured: [Int: LayoutSize]
    ) -> [LayoutStep] {
        let index = groupIndex(ofItem: item)
        let group = self[index]
        let isPlain = records.isEmpty || records[index].kind == 0
        var trace: LayoutTrace? = LayoutTrace(item: isPlain ? item - group.firstItem : item, number: item)
        _ =
            isPlain
            ? GroupResolver.resolve(node, in: container, trace: &trace)
            : GroupResolver.resolve(
                node, in: container, measured: measured, items: group.firstItem..<itemCount, trace: &trace)
        var steps = trace?.steps ?? []
        let name = axis == .horizontal ? "x" : "y"
        let along: String
        if index == 0 {
            along = "the first"
        } else if records.isEmpty {
            let size = LayoutWords.number(group.resolved.size[axis])
            let stride = spacing > 0 ? "(\(size) + spacing \(LayoutWords.number(spacing)))" : size
            along =
                "number \(index + 1): \(name) = \(index) × \(stride) = \(LayoutWords.number(group.start)) after the first"
        } else {
            along =
                "number \(index + 1): \(name) = \(LayoutWords.number(group.start)) after the first, including what was measured before it"
        }
        steps.append(
            LayoutStep(.group(path: []), "of the section's \(LayoutWords.count(groupCount, "group")), \(along)"))
        return steps
    }

    /// How many groups and items were placed.
    var placements: Int { kinds.reduce(0) { $0 + $1.placements } }

    /// From the start of the first group to the end of the last.
    var length: Double {
        guard groupCount > 0 else { return 0 }
        let last = self[groupCount - 1]
        return last.start + last.resolved.size[axis]
    }

    /// The largest group across the strip. 0 without groups.
    var breadth: Double {
        groupCount == 0 ? 0 : usedKinds.reduce(0) { max($0, $1.size[axis.other]) }
    }

    private var usedKinds: ArraySlice<ResolvedGroup> {
        records.contains { $0.kind == 0 } || records.isEmpty ? kinds[...] : kinds.dropFirst()
    }

    /// The group at `index`, which must be in `0..<groupCount`.
    subscript(index: Int) -> Group {
        guard records.isEmpty else {
            let record = records[index]
            return Group(firstItem: record.firstItem, start: record.start, resolved: kinds[record.kind])
        }
        let plain = kinds[0]
        return Group(
            firstItem: index * plain.slots.count, start: Double(index) * (plain.size[axis] + spacing), resolved: plain)
    }

    /// The group that holds an item, which must exist.
    func group(ofItem item: Int) -> Group { self[groupIndex(ofItem: item)] }

    private func groupIndex(ofItem item: Int) -> Int {
        records.isEmpty
            ? item / kinds[0].slots.count : records.indices.partitioningIndex { records[$0].firstItem > item } - 1
    }

    /// The groups that may overlap the range between two positions along the strip. May include a few more, never
    /// fewer.
    func groups(from low: Double, to high: Double) -> Range<Int> {
        let (low, high) = (low - overhang.behind, high + overhang.before)
        guard low <= high else { return 0..<0 }
        let (first, end): (Int, Int)
        if records.isEmpty {
            let plain = kinds[0].size[axis]
            let stride = plain + spacing
            // Groups without length are all at the same position.
            guard stride > 0 else { return 0..<groupCount }
            first = index(at: (low - plain) / stride)
            end = index(at: high / stride + 1)
        } else {
            first = records.indices.partitioningIndex { records[$0].start + kinds[records[$0].kind].size[axis] > low }
            end = records.indices.partitioningIndex { records[$0].start >= high }
        }
        // One more on each side to make up for rounding.
        let lower = max(first - 1, 0)
        return lower..<max(lower, min(end + 1, groupCount))
    }

    private func index(at quotient: Double) -> Int {
        Int(min(max(quotient, 0), Double(groupCount)))
    }
}
