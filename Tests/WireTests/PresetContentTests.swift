import Testing

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueePresets
@testable import MarqueeWire

@Suite struct PresetContentTests {
    @Test(arguments: SampleContents.presets)
    func `Every content survives encoding and decoding`(_ content: PresetContent) {
        #expect(PresetContent(kind: content.kind, bytes: content.encoded()) == content)
        #expect(ItemContent.preset(content).preset == content)
        #expect(ItemContent.preset(content).decoded == .preset(content))
    }

    @Test func `The core carries a body of a preset kind as bytes`() {
        let body = PresetContent.movie(SampleContents.movie).encoded()
        let content = BodyCodec.decode(kind: .movie, bytes: body)
        #expect(content == .encoded(kind: .movie, bytes: body))
        #expect(content.preset == .movie(SampleContents.movie))
        #expect(BodyCodec.encode(content) == body)
    }

    @Test func `Contents of the protocol itself don't belong to a preset`() {
        #expect(ItemContent.card(SampleContents.card).preset == nil)
        #expect(ItemContent.card(SampleContents.card).decoded == .card(SampleContents.card))
        #expect(ItemContent.member(revision: 5, value: nil).decoded == .member(revision: 5, value: nil))
    }

    @Test func `The samples cover every kind`() {
        #expect(Set(SampleContents.presets.map(\.kind)) == Set(ItemKind.presets))
        #expect(PresetSchema.kinds.map(\.kind) == ItemKind.presets)
    }

    @Test(arguments: SampleContents.presets)
    func `Every encoded body is canonical`(_ content: PresetContent) throws {
        let body = content.encoded()
        #expect(try CanonicalBody.canonicalize(body) == body)
    }

    @Test func `A body that can't be decoded is carried as bytes`() {
        let broken: [[UInt8]] = [
            [0x08], RawMessage().field(2, [0xFF]).bytes, RawMessage().field(2, [0]).bytes,
            RawMessage().field(10, RawMessage()).times(2).bytes, RawMessage().number(2, 1).bytes,
            RawMessage().number(99, 1).times(33).bytes, RawMessage().field(6, "g").times(5_000).bytes,
        ]
        for bytes in broken {
            #expect(PresetContent(kind: .movie, bytes: bytes) == nil)
            #expect(ItemContent.encoded(kind: .movie, bytes: bytes).decoded == .unknown(kind: .movie, bytes: bytes))
        }
        #expect(PresetContent(kind: ItemKind(rawValue: 4_711), bytes: []) == nil)
    }

    @Test func `Random bodies don't crash`() {
        var generator = SeededGenerator(seed: 3)
        var refused = 0
        for round in 0..<10_000 {
            let kind = ItemKind.presets[round % ItemKind.presets.count]
            let bytes = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if PresetContent(kind: kind, bytes: bytes) == nil { refused += 1 }
        }
        #expect(refused > 8_000)
    }

    @Test func `Unknown fields don't hide the others`() {
        let bytes = PresetContent.movie(SampleContents.movie).encoded() + RawMessage().field(500, "new").bytes
        #expect(PresetContent(kind: .movie, bytes: bytes) == .movie(SampleContents.movie))
    }

    @Test func `Numbers that aren't finite are absent`() {
        var movie = MovieContent(id: 1, title: "x")
        let plain = PresetContent.movie(movie).encoded()
        for value in [Double.nan, .infinity, -.infinity] {
            movie.popularity = value
            #expect(PresetContent.movie(movie).encoded() == plain)
            let received = plain + RawMessage().fixed(9, value.bitPattern).bytes
            movie.popularity = nil
            #expect(PresetContent(kind: .movie, bytes: received) == .movie(movie))
        }
    }

    @Test func `A date that doesn't exist is absent`() {
        let bytes = RawMessage().number(1, 1).field(2, "x").field(4, "2010-02-30").bytes
        #expect(PresetContent(kind: .movie, bytes: bytes) == .movie(MovieContent(id: 1, title: "x")))
    }

    @Test func `A record whose id is text has no number`() {
        let movie = MovieContent(id: nil, title: "x")
        let body = PresetContent.movie(movie).encoded()
        #expect(body == RawMessage().field(2, "x").bytes)
        #expect(PresetContent(kind: .movie, bytes: body) == .movie(movie))
    }

    @Test func `An image names the role of its field`() {
        func has(_ role: String, _ content: PresetContent) -> Bool {
            let record = RawMessage().field(2, role).bytes
            let body = content.encoded()
            return body.indices.contains { body[$0...].starts(with: record) }
        }
        var movie = MovieContent(id: 1, title: "x")
        movie.poster = SampleContents.poster
        #expect(has("poster", .movie(movie)))
        movie.backdrop = movie.poster
        #expect(has("backdrop", .movie(movie)))
        #expect(has("portrait", .credit(CreditContent(person: 1, name: "x", portrait: SampleContents.poster))))
    }
}
