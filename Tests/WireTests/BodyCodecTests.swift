import Testing

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueePresets
@testable import MarqueeWire

@Suite struct BodyCodecTests {
    @Test(arguments: SampleContents.all)
    func `Every content survives encoding and decoding`(_ content: ItemContent) {
        #expect(BodyCodec.decode(kind: content.kind, bytes: BodyCodec.encode(content)) == content)
    }

    @Test func `Every encoded body is canonical`() throws {
        var bodies = SampleContents.all.filter { $0.kind.rawValue < 4_711 }.map(BodyCodec.encode)
        bodies += [SampleContents.head, SectionHead(kind: .main)].map(BodyCodec.encode)
        bodies.append(BodyCodec.encode(ViewHead(title: "Home", needsUser: ["continue"])))
        bodies.append(BodyCodec.encode(SectionReference(isPrivate: true, placeholders: 10)))
        for body in bodies {
            #expect(try CanonicalBody.canonicalize(body) == body)
        }
    }

    @Test(arguments: [
        Counting(impressions: Counting.Impressions(share: 1, duration: 0, again: .max)), Counting(taps: true),
        Counting(impressions: Counting.Impressions(), taps: true),
    ])
    func `A head says what is counted, and a share that no item can have counts nothing`(_ counting: Counting) {
        var head = SectionHead(kind: .main)
        head.counting = counting
        #expect(BodyCodec.decodeSectionHead(BodyCodec.encode(head)) == head)
        head.counting?.impressions?.share = 101
        #expect(BodyCodec.decodeSectionHead(BodyCodec.encode(head))?.counting?.impressions == nil)
    }

    @Test func `An unknown kind is carried as bytes`() {
        let kind = ItemKind(rawValue: 12_345)
        #expect(BodyCodec.decode(kind: kind, bytes: [1, 2]) == .encoded(kind: kind, bytes: [1, 2]))
        #expect(BodyCodec.encode(.encoded(kind: kind, bytes: [1, 2])) == [1, 2])
    }

    @Test func `A card that can't be decoded is carried as bytes`() {
        let broken: [[UInt8]] = [
            [0x12], RawMessage().field(2, [0xFF]).bytes, RawMessage().field(13, [0x61, 0]).bytes,
            RawMessage().number(2, 1).bytes, RawMessage().field(7, RawMessage().field(1, "4.5")).bytes,
            RawMessage().field(7, RawMessage()).times(2).bytes, RawMessage().field(14, RawMessage()).times(2).bytes,
            RawMessage().field(6, RawMessage()).times(5_000).bytes, RawMessage().number(99, 1).times(33).bytes,
        ]
        for bytes in broken {
            #expect(BodyCodec.decode(kind: .card, bytes: bytes) == .encoded(kind: .card, bytes: bytes))
        }
    }

    @Test func `Parts of a card that lack their main field are absent`() {
        let plain = CardContent(title: "x")
        for value in [nil, Double.nan, .infinity] {
            let part = value.map { RawMessage().fixed(1, $0.bitPattern) } ?? RawMessage()
            let body = RawMessage().field(2, "x").field(7, part).field(10, part).bytes
            #expect(BodyCodec.decode(kind: .card, bytes: body) == .card(plain))
        }
        var card = plain
        card.badges = [CardContent.Badge(text: "new")]
        card.rating = CardContent.Rating(value: 7)
        let body = RawMessage().field(2, "x").field(5, RawMessage().field(4, "#000000"))
            .field(6, RawMessage().field(1, "new").field(2, "no role of ours"))
            .field(7, RawMessage().fixed(1, (7.0).bitPattern).fixed(2, Double.nan.bitPattern))
        #expect(BodyCodec.decode(kind: .card, bytes: body.bytes) == .card(card))
    }

    @Test func `Unknown fields of a card don't hide the others`() {
        let bytes = BodyCodec.encode(.card(SampleContents.card)) + RawMessage().field(500, "new").bytes
        #expect(BodyCodec.decode(kind: .card, bytes: bytes) == .card(SampleContents.card))
    }

    @Test func `Random bodies don't crash`() {
        var generator = SeededGenerator(seed: 3)
        var unknown = 0
        for round in 0..<10_000 {
            let kind: ItemKind = round.isMultiple(of: 2) ? .card : .member
            let bytes = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if case .encoded = BodyCodec.decode(kind: kind, bytes: bytes) { unknown += 1 }
            _ = BodyCodec.decodeSectionHead(bytes)
        }
        #expect(unknown > 8_000)
    }

    @Test(arguments: [SampleContents.head, SectionHead(kind: .genres)])
    func `Every section head survives encoding and decoding`(_ head: SectionHead) {
        #expect(BodyCodec.decodeSectionHead(BodyCodec.encode(head)) == head)
    }

    @Test func `A head that can't be decoded is nil`() {
        #expect(BodyCodec.decodeSectionHead([0xFF]) == nil)
        #expect(BodyCodec.decodeViewHead([0x0A, 5]) == nil)
        #expect(BodyCodec.decodeSectionReference([0x0B]) == nil)
    }

    @Test func `View heads and section references survive encoding and decoding`() {
        #expect(BodyCodec.decodeViewHead(BodyCodec.encode(ViewHead(title: "홈"))) == ViewHead(title: "홈"))
        #expect(BodyCodec.decodeViewHead([]) == ViewHead(title: ""))
        for reference in [SectionReference(), SectionReference(isPrivate: true, placeholders: 7)] {
            #expect(BodyCodec.decodeSectionReference(BodyCodec.encode(reference)) == reference)
        }
    }
}
