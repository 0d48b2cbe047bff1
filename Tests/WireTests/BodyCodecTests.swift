import MarqueeDiff
import MarqueeModel
import MarqueeWire
import Testing

@Suite struct BodyCodecTests {
    @Test(arguments: SampleContents.all)
    func everyContentComesBackAsItWas(_ content: ItemContent) {
        #expect(BodyCodec.decode(kind: content.kind, bytes: BodyCodec.encode(content)) == content)
    }

    @Test func theSamplesHoldEveryKindThatIsKnown() {
        let kinds = Set(SampleContents.all.map(\.kind))
        #expect(kinds.isSuperset(of: ItemKind.known.filter { $0 != .section }))
    }

    @Test func everyEncodedBodyIsCanonical() throws {
        var bodies = SampleContents.all.filter { $0.kind.rawValue < 4_711 }.map(BodyCodec.encode)
        bodies += [SampleContents.head, SectionHead(kind: .main)].map(BodyCodec.encode)
        bodies.append(BodyCodec.encode(ViewHead(title: "Home", needsUser: ["continue"])))
        bodies.append(BodyCodec.encode(SectionReference(isPrivate: true, placeholders: 10)))
        for body in bodies {
            #expect(try CanonicalBody.canonicalize(body) == body)
        }
    }

    @Test func anUnknownKindIsCarriedAsBytes() {
        let kind = ItemKind(rawValue: 12_345)
        #expect(BodyCodec.decode(kind: kind, bytes: [1, 2]) == .unknown(kind: kind, bytes: [1, 2]))
        #expect(BodyCodec.encode(.unknown(kind: kind, bytes: [1, 2])) == [1, 2])
    }

    @Test func aBodyThatCannotBeReadIsCarriedAsBytes() {
        let broken: [[UInt8]] = [
            [0x08], RawMessage().field(2, [0xFF]).bytes, RawMessage().field(2, [0]).bytes,
            RawMessage().field(10, RawMessage()).times(2).bytes, RawMessage().number(2, 1).bytes,
            RawMessage().number(99, 1).times(33).bytes, RawMessage().field(6, "g").times(5_000).bytes,
        ]
        for bytes in broken {
            #expect(BodyCodec.decode(kind: .movie, bytes: bytes) == .unknown(kind: .movie, bytes: bytes))
        }
    }

    @Test func aCardThatCannotBeReadIsCarriedAsBytes() {
        let broken: [[UInt8]] = [
            [0x12], RawMessage().field(2, [0xFF]).bytes, RawMessage().field(13, [0x61, 0]).bytes,
            RawMessage().number(2, 1).bytes, RawMessage().field(7, RawMessage().field(1, "4.5")).bytes,
            RawMessage().field(7, RawMessage()).times(2).bytes, RawMessage().field(14, RawMessage()).times(2).bytes,
            RawMessage().field(6, RawMessage()).times(5_000).bytes, RawMessage().number(99, 1).times(33).bytes,
        ]
        for bytes in broken {
            #expect(BodyCodec.decode(kind: .card, bytes: bytes) == .unknown(kind: .card, bytes: bytes))
        }
    }

    @Test func partsOfACardWithoutWhatTheyAreAboutAreAbsent() {
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

    @Test func fieldsOfACardThatAreNotKnownDoNotHideTheOthers() {
        let bytes = BodyCodec.encode(.card(SampleContents.card)) + RawMessage().field(500, "new").bytes
        #expect(BodyCodec.decode(kind: .card, bytes: bytes) == .card(SampleContents.card))
    }

    @Test func randomBodiesDoNotCrash() {
        var generator = SeededGenerator(seed: 3)
        var unknown = 0
        for round in 0..<10_000 {
            let kind = ItemKind.known[round % ItemKind.known.count]
            let bytes = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if case .unknown = BodyCodec.decode(kind: kind, bytes: bytes) { unknown += 1 }
            _ = BodyCodec.decodeSectionHead(bytes)
        }
        #expect(unknown > 8_000)
    }

    @Test func unknownFieldsDoNotHideTheOthers() {
        let bytes = BodyCodec.encode(.movie(SampleContents.movie)) + RawMessage().field(500, "new").bytes
        #expect(BodyCodec.decode(kind: .movie, bytes: bytes) == .movie(SampleContents.movie))
    }

    @Test func nonfiniteNumbersAreAbsent() {
        var movie = MovieContent(id: 1, title: "x")
        let plain = BodyCodec.encode(.movie(movie))
        for value in [Double.nan, .infinity, -.infinity] {
            movie.popularity = value
            #expect(BodyCodec.encode(.movie(movie)) == plain)
            let received = plain + RawMessage().fixed(9, value.bitPattern).bytes
            movie.popularity = nil
            #expect(BodyCodec.decode(kind: .movie, bytes: received) == .movie(movie))
        }
    }

    @Test func aDateThatDoesNotExistIsAbsent() {
        let bytes = RawMessage().number(1, 1).field(2, "x").field(4, "2010-02-30").bytes
        #expect(BodyCodec.decode(kind: .movie, bytes: bytes) == .movie(MovieContent(id: 1, title: "x")))
    }

    @Test func anImageSaysTheRoleOfItsField() {
        func has(_ role: String, _ content: ItemContent) -> Bool {
            let record = RawMessage().field(2, role).bytes
            let body = BodyCodec.encode(content)
            return body.indices.contains { body[$0...].starts(with: record) }
        }
        var movie = MovieContent(id: 1, title: "x")
        movie.poster = SampleContents.poster
        #expect(has("poster", .movie(movie)))
        movie.backdrop = movie.poster
        #expect(has("backdrop", .movie(movie)))
        #expect(has("portrait", .credit(CreditContent(person: 1, name: "x", portrait: SampleContents.poster))))
    }

    @Test(arguments: [SampleContents.head, SectionHead(kind: .genres)])
    func everyHeadComesBackAsItWas(_ head: SectionHead) {
        #expect(BodyCodec.decodeSectionHead(BodyCodec.encode(head)) == head)
    }

    @Test func anUndecodableHeadIsNil() {
        #expect(BodyCodec.decodeSectionHead([0xFF]) == nil)
        #expect(BodyCodec.decodeViewHead([0x0A, 5]) == nil)
        #expect(BodyCodec.decodeSectionReference([0x0B]) == nil)
    }

    @Test func viewHeadsAndReferencesComeBackAsTheyWere() {
        #expect(BodyCodec.decodeViewHead(BodyCodec.encode(ViewHead(title: "홈"))) == ViewHead(title: "홈"))
        #expect(BodyCodec.decodeViewHead([]) == ViewHead(title: ""))
        for reference in [SectionReference(), SectionReference(isPrivate: true, placeholders: 7)] {
            #expect(BodyCodec.decodeSectionReference(BodyCodec.encode(reference)) == reference)
        }
    }
}
