import MarqueeModel
import MarqueePresets
import Synchronization

@_spi(Admin) @testable import MarqueeClient

/// Publishes rising vote counts of one movie, and remembers which of them the server has confirmed.
final class Publisher: Sendable {
    private struct State {
        var next: UInt32 = 100_000
        var confirmedVotes: UInt32 = 0
        var confirmedRevision: UInt64 = 0
        var confirmed = 0
    }

    private let client: MarqueeClient
    private let movie: UInt64
    private let state = Mutex(State())

    init(_ client: MarqueeClient, movie: UInt64) {
        self.client = client
        self.movie = movie
    }

    var confirmed: Int { state.withLock { $0.confirmed } }

    /// Publishes the next number, successfully or not.
    func publish() async {
        let votes = state.withLock { state in
            state.next += 1
            return state.next
        }
        let change = Harness.update(movie, #""popularity": \#(votes), "voteCount": \#(votes)"#)
        guard let receipt = try? await client.publish([change]) else { return }
        state.withLock { state in
            state.confirmed += 1
            state.confirmedVotes = max(state.confirmedVotes, votes)
            state.confirmedRevision = max(state.confirmedRevision, receipt.revision)
        }
    }

    /// Why what the server shows can't be right; `nil` if it can.
    /// - Parameter reader: the client that asks the server; by default the publishing one.
    func violations(asking reader: MarqueeClient? = nil) async -> [String] {
        let (votes, revision) = state.withLock { ($0.confirmedVotes, $0.confirmedRevision) }
        do {
            let detail = try await (reader ?? client).fetchScreen(.detail(movie))
            guard let item = detail.sections.first(where: { $0.kind == .detail })?.items.first,
                case .detail(let content) = item.content.preset
            else { return ["the detail of movie \(movie) is gone"] }
            if content.voteCount ?? 0 < votes {
                return ["\(content.voteCount ?? 0) votes, after \(votes) were confirmed"]
            }
            if detail.revision.catalogueRevision < revision {
                return ["revision \(detail.revision.catalogueRevision), after \(revision) was confirmed"]
            }
            return []
        } catch {
            return ["the detail of movie \(movie) can't be read: \(error)"]
        }
    }

    func close() async { await client.close() }
}
