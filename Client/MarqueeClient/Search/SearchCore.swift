import MarqueeModel

/// Decides what a search shows. Questions are numbered; an answer counts only while its question is the newest.
///
/// Pages are cut from a list that moves, so they are only joined if they are from the same revision of the catalogue.
/// When the next page has a newer revision, the previous pages are requested again, and the list changes when all of
/// them have arrived. So no row is on two pages or on none.
struct SearchCore {
    /// A request for a page of results.
    struct Question: Hashable {
        var query: String
        var queryID: UInt64
        /// The page's number, from 1.
        var page: Int
    }

    /// Pages fetched again, to replace those shown.
    private struct Reload {
        /// The last page to request.
        var target: Int
        var items: [ScreenItem] = []
        var revision = Cut()
        /// The number of times the catalogue has changed meanwhile.
        var restarts = 0
    }

    /// After this many attempts, pages are joined even if the catalogue has changed: each row is still shown only once,
    /// but one that moved between two pages may be missing until the next search.
    static let maximumRestarts = 3

    private(set) var state = SearchState.idle
    private var newest: UInt64 = 0
    private var page = 0
    /// The revision of the pages shown.
    private var revision = Cut()
    /// The page that has been requested.
    private var awaited: Int?
    private var reload: Reload?
    /// The follow-up question after an incomplete answer.
    private var next: Question?

    /// Starts over; answers to earlier questions no longer count.
    /// - Returns: `nil` for an empty or blank query, which shows nothing.
    mutating func search(_ query: String) -> Question? {
        newest += 1
        page = 0
        (reload, next, awaited) = (nil, nil, nil)
        guard query.contains(where: { !$0.isWhitespace }) else {
            state = .idle
            return nil
        }
        state = .searching(query: query)
        return ask(query, page: 1)
    }

    /// Requests the next page.
    /// - Returns: `nil` if there is none, or if it has already been requested.
    mutating func more() -> Question? {
        guard case .found(var results) = state, results.hasMore, awaited == nil else { return nil }
        results.isLoadingMore = true
        state = .found(results)
        return ask(results.query, page: page + 1)
    }

    /// Drops the question in flight, if there is one; the results so far stay.
    mutating func stop() {
        guard awaited != nil else { return }
        (reload, next, awaited) = (nil, nil, nil)
        if case .found(var results) = state {
            results.isLoadingMore = false
            state = .found(results)
        } else {
            newest += 1
            state = .idle
        }
    }

    /// Processes the answer to a question.
    /// - Returns: whether something different is shown now.
    mutating func answered(_ question: Question, _ answer: Result<SearchPage, ClientError>) -> Bool {
        guard question.queryID == newest, question.page == awaited else { return false }
        awaited = nil
        switch answer {
        case .failure(let error):
            reload = nil
            // The pages so far stay, and the next one can be requested again.
            if case .found(var results) = state {
                results.isLoadingMore = false
                state = .found(results)
            } else {
                state = .failed(query: question.query, error)
            }
            return true
        case .success(let found):
            if reload != nil { return reloaded(question, found) }
            if page > 0, found.revision != revision {
                reload = Reload(target: question.page)
                next = ask(question.query, page: 1)
                return false
            }
            var items: [ScreenItem] = []
            if page > 0, case .found(let results) = state { items = results.items }
            show(question, items, found)
            return true
        }
    }

    /// Takes the follow-up question after an incomplete answer, once.
    mutating func followUp() -> Question? {
        defer { next = nil }
        return next
    }

    private mutating func ask(_ query: String, page: Int) -> Question {
        awaited = page
        return Question(query: query, queryID: newest, page: page)
    }

    private mutating func reloaded(_ question: Question, _ found: SearchPage) -> Bool {
        guard var reload else { return false }
        if question.page > 1, found.revision != reload.revision, reload.restarts < Self.maximumRestarts {
            self.reload = Reload(target: reload.target, restarts: reload.restarts + 1)
            next = ask(question.query, page: 1)
            return false
        }
        reload.revision = found.revision
        guard question.page < min(reload.target, found.pages) else {
            self.reload = nil
            show(question, reload.items, found)
            return true
        }
        reload.items += found.items
        self.reload = reload
        next = ask(question.query, page: question.page + 1)
        return false
    }

    /// Shows a page after those before it.
    private mutating func show(_ question: Question, _ before: [ScreenItem], _ found: SearchPage) {
        page = question.page
        revision = found.revision
        var known: Set<String> = []
        state = .found(
            SearchResults(
                query: question.query, items: (before + found.items).filter { known.insert($0.id).inserted },
                total: found.total, isTotalCapped: found.isTotalCapped, hasMore: found.page < found.pages))
    }
}
