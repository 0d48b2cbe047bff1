package import MarqueeModel

/// The items of a list that are deleted, inserted, moved and updated between two versions.
package struct ListTransition: Hashable, Sendable {
    /// The sum of the version that `deleted` and `moved.from` refer to.
    package var base: UInt64
    /// The sum of the version that the other positions refer to.
    package var target: UInt64
    /// Old positions, ascending.
    package var deleted: [Int] = []
    /// New positions, ascending.
    package var inserted: [Int] = []
    /// Moves from old to new positions, ascending by the new one. All other kept items stay in order.
    package var moved: [PositionMove<Int>] = []
    /// New positions of kept items whose body changed, ascending.
    package var updated: [Int] = []
    /// Whether the head changed.
    package var headChanged: Bool

    /// A transition without items, to be filled by the caller.
    init(base: UInt64, target: UInt64, headChanged: Bool) {
        self.base = base
        self.target = target
        self.headChanged = headChanged
    }

    /// The transition made by a script whose ranges are valid.
    init(script: Script, deleted ranges: [Range<Int>], base: UInt64, target: UInt64, headChanged: Bool) {
        self.init(base: base, target: target, headChanged: headChanged)
        for range in ranges { deleted += range }
        for range in script.updates { updated += range }
        var position = 0
        for operation in script.operations {
            switch operation {
            case .keep: break
            case .move(let range): appendMove(from: range, to: position)
            case .add(let count): inserted += position..<position + count
            }
            position += operation.count
        }
    }

    /// Appends the moves of consecutive items. Their new positions must be above those of all earlier moves.
    mutating func appendMove(from range: Range<Int>, to position: Int) {
        for (offset, from) in range.enumerated() { moved.append(PositionMove(from: from, to: position + offset)) }
    }
}
