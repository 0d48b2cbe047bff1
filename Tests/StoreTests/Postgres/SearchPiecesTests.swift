import Testing

@testable import MarqueeStore

@Suite struct SearchPiecesTests {
    @Test func `A text has every piece of a query that is in it`() {
        let text = "살인의 추억\nmemories of murder"
        let pieces = Set(SearchText.pieces(of: text))
        for needle in ["살", "의 ", "인의 ", "살인의 추억", "m", "mu", "mur", "memories of murder"] {
            #expect(pieces.isSuperset(of: SearchText.pieces(ofNeedle: needle)), "\(needle)")
        }
    }

    @Test func `A text lacks the piece of a query of up to three characters that it doesn't contain`() {
        let pieces = Set(SearchText.pieces(of: "ab\ncd"))
        #expect(pieces.count == 6)
        for needle in ["bc", "x", "b\u{0}", "abc", "bcd"] {
            #expect(pieces.isDisjoint(with: SearchText.pieces(ofNeedle: needle)), "\(needle)")
        }
    }

    @Test func `A query of many characters needs only its longest pieces`() {
        #expect(SearchText.pieces(ofNeedle: "abcde").count == 3)
        #expect(SearchText.pieces(ofNeedle: "aaaaa").count == 1)
        #expect(SearchText.pieces(of: "aaaaa").count == 3)
        #expect(SearchText.pieces(of: "") == [])
    }
}
