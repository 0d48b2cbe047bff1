import MarqueeDiff
import MarqueeModel
import MarqueePresets
import Testing

@testable import MarqueeClient

@Suite struct SearchCoreTests {
    private static func page(
        _ ids: [Int], page: Int = 1, of pages: Int = 1, revision: UInt64 = 1
    ) -> Result<SearchPage, ClientError> {
        .success(
            SearchPage(
                items: ids.map {
                    ScreenItem(item: Item(id: "movie/\($0)", kind: .movie, body: []), favorite: .no)
                }, total: ids.count, page: page, pages: pages, revision: Cut(catalogueRevision: revision)))
    }

    private static func ids(_ state: SearchState) -> [String]? {
        if case .found(let results) = state { results.items.map { String($0.id.dropFirst(6)) } } else { nil }
    }

    @Test func `A query loads and then shows what was found`() throws {
        var core = SearchCore()
        let question = try core.asked("ho")
        #expect(question == SearchCore.Question(query: "ho", queryID: 1, page: 1))
        guard case .searching(query: "ho") = core.state else {
            Issue.record("it is loading")
            return
        }
        let isNews1 = core.answered(question, SearchCoreTests.page([1, 2]))
        #expect(isNews1)
        #expect(SearchCoreTests.ids(core.state) == ["1", "2"])
        let isNews2 = core.answered(question, SearchCoreTests.page([3]))
        #expect(!isNews2, "a question has one answer")
    }

    @Test func `A late answer to an older query never mixes in`() throws {
        var core = SearchCore()
        let old = try core.asked("ho")
        let new = try core.asked("host")
        let isNews3 = core.answered(old, SearchCoreTests.page([1, 2]))
        #expect(!isNews3)
        let isNews4 = core.answered(new, SearchCoreTests.page([3]))
        #expect(isNews4)
        let isNews5 = core.answered(old, SearchCoreTests.page([1, 2]))
        #expect(!isNews5)
        #expect(SearchCoreTests.ids(core.state) == ["3"])
        // The same text again is a new question.
        let again = try core.asked("ho")
        let isNews6 = core.answered(old, SearchCoreTests.page([1, 2]))
        #expect(!isNews6)
        let isNews7 = core.answered(again, SearchCoreTests.page([4]))
        #expect(isNews7)
    }

    @Test func `An empty query shows nothing, whatever is on its way`() throws {
        var core = SearchCore()
        let question = try core.asked("ho")
        let question12 = core.search("  ")
        #expect(question12 == nil)
        let isNews8 = core.answered(question, SearchCoreTests.page([1]))
        #expect(!isNews8)
        guard case .idle = core.state else {
            Issue.record("nothing is searched for")
            return
        }
    }

    @Test func `Further pages are added once each`() throws {
        var core = SearchCore()
        let first = try core.asked("ho")
        let question13 = core.more()
        #expect(question13 == nil, "the first page is still on its way")
        _ = core.answered(first, SearchCoreTests.page([1, 2], of: 2))
        let second = try core.askedMore()
        #expect(second.page == 2)
        let question14 = core.more()
        #expect(question14 == nil)
        let isNews9 = core.answered(second, SearchCoreTests.page([2, 3], page: 2, of: 2))
        #expect(isNews9)
        #expect(SearchCoreTests.ids(core.state) == ["1", "2", "3"])
        let question15 = core.more()
        #expect(question15 == nil)
    }

    @Test func `A row that moves between two pages is neither shown twice nor lost`() throws {
        var core = SearchCore()
        _ = core.answered(try core.asked("ho"), Self.page([1, 2], of: 3))
        _ = core.answered(try core.askedMore(), Self.page([3, 4], page: 2, of: 3))
        // 5 has risen to the front: the third page begins with what was on the second.
        var isNews = core.answered(try core.askedMore(), Self.page([4, 6], page: 3, of: 3, revision: 2))
        #expect(!isNews)
        #expect(Self.ids(core.state) == ["1", "2", "3", "4"], "what is shown stays until all of it is there")
        for (page, ids) in [(1, [5, 1]), (2, [2, 3]), (3, [4, 6])] {
            let next = core.followUp()
            let question = try #require(next)
            #expect(question.page == page)
            isNews = core.answered(question, Self.page(ids, page: page, of: 3, revision: 2))
            #expect(isNews == (page == 3))
        }
        #expect(Self.ids(core.state) == ["5", "1", "2", "3", "4", "6"])
        let done = core.followUp()
        #expect(done == nil)
    }

    @Test func `A catalogue that changes with every page doesn't make a search go on forever`() throws {
        var core = SearchCore()
        _ = core.answered(try core.asked("ho"), Self.page([1, 2], of: 2))
        var next: SearchCore.Question? = try core.askedMore()
        var revision: UInt64 = 1
        var asked = 0
        while let question = next {
            revision += 1
            asked += 1
            _ = core.answered(
                question,
                Self.page(question.page == 1 ? [1, 2] : [2, 3], page: question.page, of: 2, revision: revision))
            next = core.followUp()
        }
        #expect(asked <= 1 + 2 * (SearchCore.maximumRestarts + 1))
        #expect(Self.ids(core.state) == ["1", "2", "3"])
    }

    @Test func `A failure is shown and loses nothing`() throws {
        var core = SearchCore()
        let first = try core.asked("ho")
        let error = ClientError(.timeout, "late")
        let isNews10 = core.answered(first, .failure(error))
        #expect(isNews10)
        guard case .failed(query: "ho", error) = core.state else {
            Issue.record("the failure is shown")
            return
        }
        let again = try core.asked("ho")
        _ = core.answered(again, SearchCoreTests.page([1], of: 2))
        let second = try core.askedMore()
        let isNews11 = core.answered(second, .failure(error))
        #expect(isNews11)
        #expect(SearchCoreTests.ids(core.state) == ["1"])
        let question16 = core.more()
        #expect(question16 == second)
    }

    @Test func `States reach the reader and only the newest query counts`() async throws {
        let (old, finishOld) = AsyncStream.makeStream(of: Void.self)
        let search = LiveSearch { question in
            if question.query == "old" { for await _ in old {} }
            return SearchCoreTests.page([question.query == "old" ? 1 : 2])
        }
        search.search("old")
        search.search("new")
        for await state in search.states {
            guard let ids = SearchCoreTests.ids(state) else { continue }
            #expect(ids == ["2"])
            break
        }
        finishOld.finish()
    }

    @Test func `Leaving a search's states cancels its request, and the next reader finds it idle`() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let (cancelled, cancel) = AsyncStream.makeStream(of: Void.self)
        let search = LiveSearch { _ in
            await withTaskCancellationHandler {
                ask.yield()
                while !Task.isCancelled { await Task.yield() }
                return .failure(.cancelled)
            } onCancel: {
                cancel.yield()
            }
        }
        search.search("old")
        for await state in search.states {
            if case .searching = state { break }
        }
        for await _ in asked { break }
        for await _ in cancelled { break }
        var states = search.states.makeAsyncIterator()
        guard case .idle? = await states.next() else {
            Issue.record("it still searches")
            return
        }
    }
}

extension SearchCore {
    /// The question for a query that has one.
    fileprivate mutating func asked(_ query: String) throws -> Question {
        let question = search(query)
        return try #require(question)
    }

    fileprivate mutating func askedMore() throws -> Question {
        let question = more()
        return try #require(question)
    }
}
