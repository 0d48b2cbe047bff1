import Testing

@testable import MarqueeTypes

struct CollationTests {
    @Test(arguments: [
        ("en", ["1", "Apfel", "Ärger", "Azur", "cote", "coté", "London", "홈"]),
        ("de", ["Apfel", "Ärger", "Azur", "Zebra"]),
        ("sv", ["Apfel", "Zebra", "Åre", "Ärger", "Öland"]),
        ("nb", ["Zoo", "Ærlig", "Øl", "Ål"]),
        ("ko", ["가방", "나무", "Apple", "Zoo"]),
        ("zh", ["阿", "北", "中"]),
        ("es-MX", ["nube", "ñandú", "oso"]),
    ])
    func `Texts are ordered as the readers of a language expect`(locale: String, texts: [String]) {
        for isDescending in [false, true] {
            let keys = texts.map {
                SortKey(.text($0), descending: isDescending, collation: Collation(locale: locale))
            }
            #expect(keys == (isDescending ? keys.sorted().reversed() : keys.sorted()))
            #expect(Set(keys).count == texts.count)
        }
    }

    @Test func `Languages with one order share it`() {
        #expect(Collation(locale: "de") == .root)
        #expect(Collation(locale: "en-GB") == Collation(locale: "fr"))
        #expect(Collation(locale: "xx") == .root)
        #expect(Collation(locale: "ko") == Collation(locale: "ko-KR"))
        #expect(Collation(locale: "ko") != .root)
        #expect(Collation(locale: "zh-Hant") != Collation(locale: "zh"))
    }

    @Test func `Case and composition don't count`() {
        #expect(SortKey(.text("ÄRGER")) == SortKey(.text("ärger")))
        #expect(SortKey(.text("\u{E9}t\u{E9}")) == SortKey(.text("e\u{301}te\u{301}")))
    }

    @Test func `A long text with letters of every size has a bounded key`() {
        let long = String(repeating: "\u{FDFA}", count: 2_000)
        #expect(SortKey(.text(long)) == SortKey(.text(long + "a")))
        #expect(SortKey(.text(String(repeating: "😀", count: 600))) < SortKey(.text("a")))
        // Half a pair at the end of what is looked at.
        #expect(SortKey(.text("a" + String(repeating: "😀", count: 600))) < SortKey(.text("b")))
        var bytes: [UInt8] = []
        SortKey(.text(long)).write(to: &bytes)
        #expect(bytes.count < 2 * SortKey.textBytes)
    }
}
