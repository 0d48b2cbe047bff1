/// The structure of a patch: the new list as ranges of the old one, and the positions of added and updated items.
///
/// On the wire a script is a sequence of varints. Each operation begins with `count << 2 | opcode`, `count` ≥ 1:
///
/// | opcode | then | means |
/// | --- | --- | --- |
/// | 0 KEEP | start − end of the previous KEEP | the next items are these old ones; KEEP ranges ascend |
/// | 1 MOVE | start | the next items are these old ones |
/// | 2 ADD | | the next items are new |
/// | 3 UPDATE | position − end of the previous UPDATE | the new list's items here have new content |
///
/// UPDATEs follow all other operations. Old items not covered by a KEEP or MOVE are deleted.
package struct Script: Hashable, Sendable {
    /// Maximum number of items in a list.
    package static let maximumItems = 65_536

    /// The origin of the next items of the new list.
    package enum Operation: Hashable, Sendable {
        /// Items of the old list that stay in their order.
        case keep(Range<Int>)
        /// Items of the old list that move here.
        case move(Range<Int>)
        /// This many new items.
        case add(Int)

        /// Number of items in the new list.
        package var count: Int {
            switch self {
            case .keep(let range), .move(let range): range.count
            case .add(let count): count
            }
        }

        /// The items of the old list, if it uses any.
        package var source: Range<Int>? {
            switch self {
            case .keep(let range), .move(let range): range
            case .add: nil
            }
        }
    }

    enum Opcode: Int {
        case keep = 0
        case move = 1
        case add = 2
        case update = 3
    }

    /// In the order of the new list.
    package var operations: [Operation]
    /// Ranges of new positions, ascending.
    package var updates: [Range<Int>]

    package init(operations: [Operation] = [], updates: [Range<Int>] = []) {
        self.operations = operations
        self.updates = updates
    }

    /// The script as bytes.
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        var keepEnd = 0
        for operation in operations {
            switch operation {
            case .keep(let range):
                bytes.appendVarint(range.count << 2 | Opcode.keep.rawValue)
                bytes.appendVarint(range.lowerBound - keepEnd)
                keepEnd = range.upperBound
            case .move(let range):
                bytes.appendVarint(range.count << 2 | Opcode.move.rawValue)
                bytes.appendVarint(range.lowerBound)
            case .add(let count):
                bytes.appendVarint(count << 2 | Opcode.add.rawValue)
            }
        }
        var updateEnd = 0
        for range in updates {
            bytes.appendVarint(range.count << 2 | Opcode.update.rawValue)
            bytes.appendVarint(range.lowerBound - updateEnd)
            updateEnd = range.upperBound
        }
        return bytes
    }
}
