import MarqueeLocks

/// Search as you type: only the newest query decides what is shown, in whatever order the answers arrive.
///
/// ```swift
/// let search = client.liveSearch()
/// search.search("기생")
/// for await state in search.states {
///     if case .found(let results) = state { show(results.items) }
/// }
/// ```
///
/// All methods may be called from any thread and return immediately. Leaving the loop over `states`, cancelling its
/// task, or releasing the search cancels the request in flight, on the server as well.
public final class LiveSearch: Sendable {
    private struct Shared {
        var core = SearchCore()
        var asking: Task<Void, Never>?
    }

    typealias Ask = @Sendable (SearchCore.Question) async -> Result<SearchPage, ClientError>

    private let shared = Locked(Shared())
    private let stream: AsyncStream<SearchState>
    private let continuation: AsyncStream<SearchState>.Continuation
    private let ask: Ask

    init(ask: @escaping Ask) {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.ask = ask
        continuation.yield(.idle)
    }

    deinit {
        shared.withLock { $0.asking?.cancel() }
        continuation.finish()
    }

    /// The states to show, beginning with the current one; a slow reader skips some. For one reader at a time.
    public var states: ClientSequence<SearchState, Never> {
        // Reading doesn't keep alive a search that the app has released.
        ClientSequence { [weak self, stream] in
            Reading(
                { _ in
                    // All iterators of a stream share its elements.
                    var iterator = stream.makeAsyncIterator()
                    return await iterator.next()
                }, end: { [weak self] in self?.readerLeft() })
        }
    }

    /// Called when the reader has left: stops making requests on its behalf.
    private func readerLeft() {
        shared.withLock { shared in
            shared.asking?.cancel()
            shared.asking = nil
            shared.core.stop()
            continuation.yield(shared.core.state)
        }
    }

    /// Searches for `query`; an empty or blank one shows nothing.
    public func search(_ query: String) { advance { $0.search(query) } }

    /// Shows one more page, if there is one. No row is doubled or skipped when the list moves between two pages.
    public func showMore() { advance { $0.more() } }

    private func advance(_ step: (inout SearchCore) -> SearchCore.Question?) {
        shared.withLock { shared in
            let question = step(&shared.core)
            continuation.yield(shared.core.state)
            guard let question else { return }
            shared.asking?.cancel()
            shared.asking = asking(question)
        }
    }

    private func asking(_ question: SearchCore.Question) -> Task<Void, Never> {
        Task { [weak self, ask] in
            let answer = await ask(question)
            self?.answered(question, answer)
        }
    }

    private func answered(_ question: SearchCore.Question, _ answer: Result<SearchPage, ClientError>) {
        shared.withLock { shared in
            if shared.core.answered(question, answer) { continuation.yield(shared.core.state) }
            guard let next = shared.core.followUp() else { return }
            shared.asking = asking(next)
        }
    }
}

extension MarqueeClient {
    /// Creates a search to drive from a text field.
    public func liveSearch() -> LiveSearch {
        LiveSearch { [weak self] question in
            guard let self else { return .failure(ClientError.closed) }
            do throws(ClientError) {
                let page = try await self.searchPage(question.query, page: question.page)
                return .success(page)
            } catch {
                return .failure(error)
            }
        }
    }
}
