package import MarqueeModel

/// The items of a version, in order: pieces of storages that versions share.
///
/// A version made from another one shares its storages, and has one more for its new items. The number of pieces, and
/// of other items that the storages hold, is bounded: see `compacted`.
package struct ItemList: Sendable {
    /// Consecutive items of one storage.
    struct Piece: BitwiseCopyable {
        private let storageIndex: UInt32
        private let firstPlace: UInt32
        private var firstPosition: UInt32
        private var length: UInt32
        /// The number to add to a total of the storage's edges to get the list's total. It doesn't hold before the
        /// first item, which may follow a different item here than in the storage and so have a different edge.
        private(set) var edges: UInt64

        /// - Parameters:
        ///   - places: the places in the storage with this index.
        ///   - position: the position of the first item in the list.
        init(_ places: Range<Int>, storage: Int, position: Int, edges: UInt64) {
            storageIndex = UInt32(storage)
            firstPlace = UInt32(places.lowerBound)
            firstPosition = UInt32(position)
            length = UInt32(places.count)
            self.edges = edges
        }

        /// The index of the storage in `storages`.
        var storage: Int { Int(storageIndex) }
        var count: Int { Int(length) }
        /// The place of the first item in the storage.
        var start: Int { Int(firstPlace) }
        /// The position of the first item in the list.
        var position: Int { Int(firstPosition) }
        /// The position after the last item.
        var end: Int { position &+ count }
        /// The places in the storage.
        var places: Range<Int> { start..<start &+ count }

        /// The place in the storage of a position in the list.
        func place(of position: Int) -> Int { start &+ position &- self.position }

        /// The same items at another position, with this much more before them in the total of edges.
        func moved(to position: Int, adding edges: UInt64) -> Piece {
            var piece = self
            piece.firstPosition = UInt32(position)
            piece.edges &+= edges
            return piece
        }

        /// The same items, of the storage with another index.
        func with(storage: Int) -> Piece { Piece(places, storage: storage, position: position, edges: edges) }

        /// Extends the piece by the next one, if that continues it in the same storage with the same edges.
        mutating func extend(by next: Piece) -> Bool {
            guard storageIndex == next.storageIndex, places.upperBound == next.start, edges == next.edges
            else { return false }
            length += next.length
            return true
        }
    }

    let storages: [ItemStorage]
    /// In the order of the list; none of them is empty.
    let pieces: [Piece]
    package let count: Int

    /// - Parameter pieces: refer to `storages`, in the order of the list.
    init(storages: [ItemStorage], pieces: [Piece]) {
        self.storages = storages
        self.pieces = pieces
        count = pieces.last?.end ?? 0
    }

    /// All items of a storage.
    init(_ storage: ItemStorage) {
        let places = storage.items.indices
        let pieces = places.isEmpty ? [] : [Piece(places, storage: 0, position: 0, edges: 0)]
        self.init(storages: places.isEmpty ? [] : [storage], pieces: pieces)
    }

    /// The index of the piece that contains a position, which must be one of the list.
    func pieceIndex(at position: Int) -> Int {
        precondition(position >= 0 && position < count, "a position beyond the list")
        var (low, high) = (0, pieces.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if pieces[middle].position <= position { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The same, found faster if the piece is at `guess` or the next one.
    func pieceIndex(at position: Int, guess: Int) -> Int {
        for index in guess..<Swift.min(guess + 2, pieces.count)
        where pieces[index].position <= position && position < pieces[index].end {
            return index
        }
        return pieceIndex(at: position)
    }

    /// Calls `body` with the places in storages that hold a range of the list, in order.
    func forEachPart(
        of range: Range<Int>, _ body: (ItemStorage, Range<Int>) throws -> Void
    ) rethrows {
        guard !range.isEmpty else { return }
        var index = pieceIndex(at: range.lowerBound)
        var position = range.lowerBound
        while position < range.upperBound {
            let piece = pieces[index]
            let end = Swift.min(piece.end, range.upperBound)
            try body(storages[piece.storage], piece.place(of: position)..<piece.place(of: end))
            position = end
            index += 1
        }
    }

    /// The storage of an item and its place there.
    func location(of position: Int) -> (storage: ItemStorage, place: Int) {
        let piece = pieces[pieceIndex(at: position)]
        return (storages[piece.storage], piece.place(of: position))
    }

    func idHash(at position: Int) -> UInt64 {
        let (storage, place) = location(of: position)
        return storage.idHashes[place]
    }

    func bodyHash(at position: Int) -> UInt64 {
        let (storage, place) = location(of: position)
        return storage.bodyHashes[place]
    }

    /// Returns the sum of the edges of the items before a position.
    func edgeTotal(before position: Int) -> UInt64 {
        guard position > 0 else { return 0 }
        return edgeTotal(before: position, in: pieceIndex(at: position - 1))
    }

    /// The same. The position is in the piece with this index, or at its end.
    func edgeTotal(before position: Int, in index: Int) -> UInt64 {
        let piece = pieces[index]
        // The first edge is that of the list, not of the storage.
        if position == piece.position { return index == 0 ? 0 : edgeTotal(before: position, in: index - 1) }
        return piece.edges &+ storages[piece.storage].edgeTotals[piece.place(of: position)]
    }

    /// The edge of an item, after the item that it follows in this list.
    func edge(at position: Int) -> UInt64 { edgeTotal(before: position + 1) &- edgeTotal(before: position) }

    /// Bytes of the items.
    package var encodedSize: Int {
        pieces.reduce(0) { size, piece in
            let totals = storages[piece.storage].byteTotals
            return size + totals[piece.places.upperBound] - totals[piece.start]
        }
    }

    /// Bytes of the items that the list keeps in memory: its own, and others in the same storages.
    package var storedSize: Int { storages.reduce(0) { $0 + $1.bytes } }
}

extension ItemList: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package subscript(position: Int) -> Item {
        let (storage, place) = location(of: position)
        return storage.items[place]
    }

    package func makeIterator() -> Iterator { Iterator(self) }

    /// Iterates over the items without looking up the piece of each.
    package struct Iterator: IteratorProtocol {
        private let list: ItemList
        private var nextPiece = 0
        private var items: [Item] = []
        private var places = 0..<0

        fileprivate init(_ list: ItemList) { self.list = list }

        package mutating func next() -> Item? {
            if places.isEmpty {
                guard nextPiece < list.pieces.count else { return nil }
                let piece = list.pieces[nextPiece]
                items = list.storages[piece.storage].items
                places = piece.places
                nextPiece += 1
            }
            return items[places.removeFirst()]
        }
    }
}

extension ItemList: Equatable {
    package static func == (a: ItemList, b: ItemList) -> Bool { a.elementsEqual(b) }
}
