extension SearchText {
    /// The most characters in a piece of a text. Pieces are stored as numbers.
    static let longestPiece = 3

    /// Every piece of one to three characters of a text, each once, as a number. No piece has a separator in it.
    static func pieces(of text: String) -> [Int64] {
        var pieces: Set<Int64> = []
        var (first, second): (UInt64, UInt64) = (0, 0)
        for scalar in text.unicodeScalars {
            guard scalar != separator else {
                (first, second) = (0, 0)
                continue
            }
            let last = number(scalar)
            pieces.insert(piece(last, 0, 0))
            if second != 0 { pieces.insert(piece(second, last, 0)) }
            if first != 0 { pieces.insert(piece(first, second, last)) }
            (first, second) = (second, last)
        }
        return pieces.sorted()
    }

    /// The longest pieces of a needle. A text that contains the needle has all of them.
    static func pieces(ofNeedle needle: String) -> [Int64] {
        let numbers = needle.unicodeScalars.map { number($0) }
        guard numbers.count > longestPiece else {
            func number(_ place: Int) -> UInt64 { numbers.indices.contains(place) ? numbers[place] : 0 }
            return [piece(number(0), number(1), number(2))]
        }
        return Set(numbers.indices.dropLast(2).map { piece(numbers[$0], numbers[$0 + 1], numbers[$0 + 2]) }).sorted()
    }

    /// 0 stands for no character.
    private static func number(_ scalar: Unicode.Scalar) -> UInt64 { UInt64(scalar.value) + 1 }

    /// Code points have 21 bits.
    private static func piece(_ first: UInt64, _ second: UInt64, _ third: UInt64) -> Int64 {
        Int64(bitPattern: first << 42 | second << 21 | third)
    }
}
