import Testing

@testable import MarqueeModel
@testable import MarqueeWire

@Suite struct CallBodyCodecTests {
    private let items = [Item(id: "1", kind: .movie, subject: "movie/1", body: [8, 1])]

    @Test func `The cut of a search answer names only the catalogue`() throws {
        let cut = Cut(catalogueEpoch: 1, catalogueRevision: 2, userEpoch: 3, userRevision: 4)
        let answer = SearchAnswer(queryID: 1, items: [], total: 0, page: 1, pages: 0, cut: cut)
        let read = try CallBodyCodec.decodeSearchAnswer(CallBodyCodec.encode(answer))
        #expect(read.cut == Cut(catalogueEpoch: 1, catalogueRevision: 2))
    }

    @Test func `Screen requests and answers survive encoding and decoding`() throws {
        let request = GetScreenRequest(
            screen: "home", locale: "ko", sections: [SectionParameters(section: "rank", sort: "release", window: 3)])
        #expect(try CallBodyCodec.decodeGetScreenRequest(CallBodyCodec.encode(request)) == request)
        var preview = request
        (preview.reader, preview.at) = (["plan=free", "audience=korea"], Moment(milliseconds: -1))
        #expect(try CallBodyCodec.decodeGetScreenRequest(CallBodyCodec.encode(preview)) == preview)
        preview.draft = "spring"
        #expect(try CallBodyCodec.decodeGetScreenRequest(CallBodyCodec.encode(preview)) == preview)
        preview.draft = String(repeating: "x", count: GetScreenRequest.maximumDraftBytes + 1)
        #expect(throws: WireError.self) { try CallBodyCodec.decodeGetScreenRequest(CallBodyCodec.encode(preview)) }
        let drafts = DraftsAnswer(documents: [[1], []])
        #expect(try CallBodyCodec.decodeDraftsAnswer(CallBodyCodec.encode(drafts)) == drafts)
        for request in [DraftsRequest(), DraftsRequest(draft: "spring")] {
            #expect(try CallBodyCodec.decodeDraftsRequest(CallBodyCodec.encode(request)) == request)
        }
        let small = GetScreenRequest(screen: "home")
        #expect(try CallBodyCodec.decodeGetScreenRequest(CallBodyCodec.encode(small)) == small)
        let answer = GetScreenAnswer(
            screen: "home", locale: "en", cut: SampleMessages.cut,
            view: ScreenContent(id: "", head: [8, 1], items: items, sum: 3),
            sections: [ScreenContent(id: "rank", head: [], items: [], sum: 0)])
        var previewed = answer
        previewed.isPreview = true
        previewed.sections[0].audiences = ["premium", ""]
        var drafted = previewed
        drafted.draft = "spring"
        for answer in [answer, previewed, drafted] {
            #expect(try CallBodyCodec.decodeGetScreenAnswer(CallBodyCodec.encode(answer)) == answer)
        }
    }

    @Test func `Search requests and answers survive encoding and decoding`() throws {
        for request in [
            SearchRequest(query: "대부", queryID: 5, page: 2, locale: "ko"), SearchRequest(query: "", queryID: 0),
        ] {
            #expect(try CallBodyCodec.decodeSearchRequest(CallBodyCodec.encode(request)) == request)
        }
        var filtered = SearchRequest(query: "crumb", queryID: 5)
        filtered.filters = [SearchRequest.Filter(field: "topics", value: "food")]
        filtered.facets = ["topics", "show"]
        #expect(try CallBodyCodec.decodeSearchRequest(CallBodyCodec.encode(filtered)) == filtered)
        filtered.facets = Array(repeating: "a", count: Int(SearchRequest.maximumFilters) + 1)
        #expect(throws: WireError.self) { try CallBodyCodec.decodeSearchRequest(CallBodyCodec.encode(filtered)) }
        var answer = SearchAnswer(queryID: 5, items: items, total: 100, isTotalCapped: true, page: 2, pages: 5)
        #expect(try CallBodyCodec.decodeSearchAnswer(CallBodyCodec.encode(answer)) == answer)
        answer.filters = 1
        answer.facets = [SearchAnswer.Facet(field: "topics", values: [.init(value: "food", count: 3)])]
        #expect(try CallBodyCodec.decodeSearchAnswer(CallBodyCodec.encode(answer)) == answer)
    }

    @Test func `Introductions and plans survive encoding and decoding`() throws {
        for introduction in [
            IntroduceRequest(
                guest: 3, user: "ada", token: "secret", clientID: Array(1...16), address: "2001:db8::1"),
            IntroduceRequest(
                guest: .max, user: nil, token: nil, clientID: Array(0..<16), address: nil, distinguishesClaims: false),
        ] {
            #expect(try CallBodyCodec.decodeIntroduceRequest(CallBodyCodec.encode(introduction)) == introduction)
        }
        for answer in [
            IntroduceAnswer(
                user: "ada", scopes: ["read *", "favorites"], identityMilliseconds: 60_000, cut: SampleMessages.cut,
                lastMutation: 5, claims: .max),
            IntroduceAnswer(user: nil, scopes: [], identityMilliseconds: nil, cut: Cut(), lastMutation: nil),
        ] {
            #expect(try CallBodyCodec.decodeIntroduceAnswer(CallBodyCodec.encode(answer)) == answer)
        }
        for plan in [
            PlanAnswer(
                screen: "home", locale: "ko", cut: SampleMessages.cut, viewHandle: 1 << 48,
                sections: [
                    PlanAnswer.Section(section: "rank", handle: 2, isPrivate: false),
                    PlanAnswer.Section(section: "mine", handle: 3, isPrivate: true),
                ], isShared: false),
            PlanAnswer(screen: "home", locale: "en", cut: Cut(), viewHandle: 1, sections: [], isShared: true),
        ] {
            #expect(try CallBodyCodec.decodePlanAnswer(CallBodyCodec.encode(plan)) == plan)
        }
    }

    @Test func `A guest's client id has 16 bytes`() {
        let short = IntroduceRequest(guest: 1, user: nil, token: nil, clientID: [1], address: nil)
        #expect(throws: WireError.self) { try CallBodyCodec.decodeIntroduceRequest(CallBodyCodec.encode(short)) }
    }

    @Test func `Mutations and their answers survive encoding and decoding`() throws {
        for favorite in [true, false] {
            let request = CollectionRequest(number: 3, answeredThrough: 2, subject: "movie/1", isMember: favorite)
            #expect(try CallBodyCodec.decodeCollectionRequest(CallBodyCodec.encode(request)) == request)
        }
        let valued = CollectionRequest(
            number: 4, answeredThrough: 2, collection: "progress", subject: "episode/e1", isMember: true, value: 120)
        #expect(try CallBodyCodec.decodeCollectionRequest(CallBodyCodec.encode(valued)) == valued)
        for request in [
            PublishRequest(
                number: 1, answeredThrough: 0, key: "day", index: 2, last: false, changes: [[1], [], [2, 3]]),
            PublishRequest(number: .max, answeredThrough: 1, changes: []),
            PublishRequest(
                number: 2, answeredThrough: 1, changes: [[1]],
                source: SourceMove(source: "shop", position: "16/B3", expected: "16/A0")),
            PublishRequest(
                number: 3, answeredThrough: 1, changes: [],
                source: SourceMove(source: "shop", position: nil, expected: nil)),
        ] {
            #expect(try CallBodyCodec.decodePublishRequest(CallBodyCodec.encode(request)) == request)
        }
        let report = ReportRequest(
            number: 5, answeredThrough: 3, screen: "home", section: "row",
            observations: [
                ItemEvent(.seen, item: "a", place: 1, at: 1_764_000_000_000, duration: 900, revision: 4),
                ItemEvent(.action, item: "b", place: 2, at: 0, action: "play", revision: 0),
            ])
        #expect(try CallBodyCodec.decodeReportRequest(CallBodyCodec.encode(report)) == report)
        for answer in [
            MutationAnswer(number: 1, cut: CutChange(userEpoch: 4, userRevision: 0), changed: true),
            MutationAnswer(number: 1, cut: CutChange(), changed: false),
        ] {
            #expect(try CallBodyCodec.decodeMutationAnswer(CallBodyCodec.encode(answer)) == answer)
        }
    }

    @Test func `Questions about sources and records, and their answers, survive encoding and decoding`() throws {
        let report = SourceReport(state: "follows", error: "price: '1,2' is not a number", lagMilliseconds: 12)
        for request in [SourceRequest(), SourceRequest(source: "shop"), SourceRequest(source: "shop", report: report)] {
            #expect(try CallBodyCodec.decodeSourceRequest(CallBodyCodec.encode(request)) == request)
        }
        let answer = SourceAnswer(sources: [
            SourceState(
                source: "shop", position: "16/B3", movedMilliseconds: 1, report: report, reportAgeMilliseconds: 2),
            SourceState(
                source: "till", trouble: SourceTrouble(reason: "the source 'till' is silent", ageMilliseconds: 3)),
        ])
        #expect(try CallBodyCodec.decodeSourceAnswer(CallBodyCodec.encode(answer)) == answer)
        for request in [RecordSumsRequest(type: "movie"), RecordSumsRequest(type: "movie", after: "7")] {
            #expect(try CallBodyCodec.decodeRecordSumsRequest(CallBodyCodec.encode(request)) == request)
        }
        let sums = RecordSumsAnswer(ids: ["a", "b"], sums: [1, .max], more: true)
        #expect(try CallBodyCodec.decodeRecordSumsAnswer(CallBodyCodec.encode(sums)) == sums)
    }

    @Test func `A report is of a source, and bounded; ids and sums are pairs`() {
        let nameless = SourceRequest(report: SourceReport(state: "follows"))
        #expect(throws: WireError.self) { try CallBodyCodec.decodeSourceRequest(CallBodyCodec.encode(nameless)) }
        let long = SourceRequest(
            source: "shop", report: SourceReport(state: String(repeating: "x", count: SourceReport.textBytes + 1)))
        #expect(throws: WireError.self) { try CallBodyCodec.decodeSourceRequest(CallBodyCodec.encode(long)) }
        let uneven = RecordSumsAnswer(ids: ["a"], sums: [], more: false)
        #expect(throws: WireError.self) { try CallBodyCodec.decodeRecordSumsAnswer(CallBodyCodec.encode(uneven)) }
    }

    @Test func `Health and descriptions survive encoding and decoding`() throws {
        var health = HealthAnswer()
        health.state = "draining"
        health.cut = SampleMessages.cut
        health.sessions = 1
        health.subscriptions = 2
        health.uptimeMilliseconds = 1 << 40
        health.encodes = 5
        health.deliveries = 6
        health.version = "1.0"
        health.records = [RecordCount(type: "show", count: 2), RecordCount(type: "episode", count: 1 << 40)]
        (health.staleMilliseconds, health.unwritableMilliseconds) = (7, 8)
        #expect(try CallBodyCodec.decodeHealthAnswer(CallBodyCodec.encode(health)) == health)
        for locale in ["ko", nil] {
            let body = CallBodyCodec.encodeDescribeRequest(locale: locale)
            #expect(try CallBodyCodec.decodeDescribeRequest(body) == locale)
        }
        let answer = DescribeAnswer(
            screens: [
                ScreenDescription(
                    pattern: "detail/<movie>", title: "Detail", example: "detail/1",
                    sections: [
                        SectionDescription(
                            id: "rank", kind: .rank, sorts: [SortOption(id: "a", title: "A")], windows: [10, 30])
                    ]),
                ScreenDescription(pattern: "home", title: "", example: nil, sections: []),
            ], locales: ["en", "ko"])
        #expect(try CallBodyCodec.decodeDescribeAnswer(CallBodyCodec.encode(answer)) == answer)
    }

    private func failure<Body>(_ decode: () throws(WireError) -> Body) -> WireError.Code? {
        do throws(WireError) {
            _ = try decode()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `Bodies are guarded like frames`() {
        let bomb = RawMessage().field(3, RawMessage()).times(10_000).bytes
        #expect(failure { () throws(WireError) in try CallBodyCodec.decodeGetScreenRequest(bomb) } == .tooManyElements)
        let twice = RawMessage().field(2, RawMessage()).times(2).bytes
        #expect(
            failure { () throws(WireError) in try CallBodyCodec.decodeMutationAnswer(twice) } == .repeatedSubmessage)
        let text = RawMessage().field(1, [0xFF]).bytes
        #expect(failure { () throws(WireError) in try CallBodyCodec.decodeSearchRequest(text) } == .invalidUTF8)
    }

    @Test func `Required fields of a call must be present`() {
        #expect(failure { () throws(WireError) in try CallBodyCodec.decodeGetScreenRequest([]) } == .missingField)
        #expect(failure { () throws(WireError) in try CallBodyCodec.decodeCollectionRequest([]) } == .missingField)
        #expect(failure { () throws(WireError) in try CallBodyCodec.decodePublishRequest([]) } == .missingField)
        #expect(failure { () throws(WireError) in try CallBodyCodec.decodeMutationAnswer([]) } == .missingField)
        let subject = RawMessage().number(1, 1).field(3, String(repeating: "s", count: 257)).number(4, 1).bytes
        #expect(failure { () throws(WireError) in try CallBodyCodec.decodeCollectionRequest(subject) } == .outOfRange)
        for (field, limit) in [(5 as UInt64, CollectionName.maximumLength), (6, CollectionValue.maximumLength)] {
            let long = RawMessage().number(1, 1).field(3, "s").number(4, 1)
                .field(field, String(repeating: "1", count: limit + 1)).bytes
            #expect(failure { () throws(WireError) in try CallBodyCodec.decodeCollectionRequest(long) } == .outOfRange)
        }
    }
}
