import Synchronization

/// A search as somebody types it: the newest query alone decides what is shown, whenever the answers come.
///
/// ```swift
/// let search = client.movieSearch()
/// search.search("기생")
/// for await state in search.states {
///     if case .found(let results) = state { show(results.items) }
/// }
/// ```
///
/// All methods may be called from any thread and return at once. Dropping it ends `states` and what is on its way.
public final class MovieSearch: Sendable {
    private struct Shared {
        var core = SearchCore()
        var asking: Task<Void, Never>?
    }

    typealias Ask = @Sendable (SearchCore.Question) async -> Result<SearchPage, ClientError>

    /// What is shown, beginning with nothing; a slow reader skips states. For one reader.
    public let states: AsyncStream<SearchState>

    private let shared = Mutex(Shared())
    private let continuation: AsyncStream<SearchState>.Continuation
    private let ask: Ask

    init(ask: @escaping Ask) {
        (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.ask = ask
        continuation.yield(.idle)
    }

    deinit {
        shared.withLock { $0.asking?.cancel() }
        continuation.finish()
    }

    /// Searches for movies whose title contains `query`; one without characters shows nothing.
    public func search(_ query: String) { advance { $0.search(query) } }

    /// Shows one page more, if there is one.
    public func more() { advance { $0.more() } }

    private func advance(_ step: (inout SearchCore) -> SearchCore.Question?) {
        shared.withLock { shared in
            let question = step(&shared.core)
            continuation.yield(shared.core.state)
            guard let question else { return }
            shared.asking?.cancel()
            shared.asking = Task { [weak self, ask] in
                let answer = await ask(question)
                self?.answered(question, answer)
            }
        }
    }

    private func answered(_ question: SearchCore.Question, _ answer: Result<SearchPage, ClientError>) {
        shared.withLock { shared in
            guard shared.core.answered(question, answer) else { return }
            continuation.yield(shared.core.state)
        }
    }
}

extension MarqueeClient {
    /// A search for a text field.
    public func movieSearch() -> MovieSearch {
        MovieSearch { [weak self] question in
            guard let self else { return .failure(ClientError(.closed, "the client was closed")) }
            do throws(ClientError) {
                let page = try await self.search(question.query, queryID: question.queryID, page: question.page)
                return .success(page)
            } catch {
                return .failure(error)
            }
        }
    }
}
