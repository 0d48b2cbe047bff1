package import MarqueeModel
import MarqueeStore
import MarqueeWire

extension Result<StoreOutcome, StoreError> {
    /// The answer to a client's mutation.
    ///
    /// - Parameters:
    ///   - number: the mutation's number.
    ///   - effect: called when the mutation has taken effect, now or earlier; returns the position that contains it.
    package func mutationAnswer(
        _ number: UInt64, effect: (_ revision: UInt64, _ changed: Bool) -> CutChange
    ) -> Result<[UInt8], Status> {
        switch self {
        case .failure(let error), .success(.failed(let error)):
            return .failure(Status(storeError: error))
        case .success(.done(let revision, let changed)), .success(.repeated(let revision, let changed)):
            let answer = MutationAnswer(number: number, cut: effect(revision, changed), changed: changed)
            return .success(CallBodyCodec.encode(answer))
        case .success(.cloned):
            return .failure(
                Status(
                    .aborted, reason: "CLIENT_CLONED", remedy: .resync,
                    message: "this client id has sent another mutation under number \(number)"))
        case .success(.forgotten):
            return .failure(
                Status(
                    .failedPrecondition, reason: "MUTATION_FORGOTTEN", remedy: .resync,
                    message: "number \(number) is not above the last one, and its answer is no longer kept"))
        case .success(.keyReused): return .failure(.keyReused)
        case .success(.tooManyClients): return .failure(.tooManyClients)
        case .success(.elsewhere(let source, let stored, let expected)):
            return .failure(.sourceElsewhere(source, stored: stored, expected: expected))
        case .success(.refused(let reason)):
            return .failure(Status(.invalidArgument, reason: "REFUSED", remedy: .fatal, message: reason))
        }
    }
}

extension Status {
    /// The source of a publication isn't at the position that the publisher expects.
    package static func sourceElsewhere(_ source: String, stored: String?, expected: String?) -> Status {
        Status(
            .aborted, reason: "SOURCE_ELSEWHERE", remedy: .fatal,
            message: "the source '\(source)' is \(stored.map { "at '\($0)'" } ?? "nowhere yet"), and the publication "
                + "expects it \(expected.map { "at '\($0)'" } ?? "to be nowhere yet"); ask where it is, and go on from "
                + "there")
    }

    /// The key belongs to another commit.
    static let keyReused = Status(
        .alreadyExists, reason: "KEY_REUSED", remedy: .fatal,
        message: "nothing was changed: this key has made a commit of other changes; give these a key of their own")

    /// A new client's first change has to wait: its user or its address has had many new clients, or all known clients
    /// are too recent to be forgotten.
    package static let tooManyClients = Status(
        .resourceExhausted, reason: "TOO_MANY_CLIENTS", remedy: .retrySame,
        message: "too many new clients change something for this user, or from this address; try again later",
        retryAfterMilliseconds: 60_000)

    /// The committer accepts no more writes for now.
    package static let tooManyWrites = Status(
        .resourceExhausted, reason: "TOO_MANY_WRITES", remedy: .retrySame, message: "too many writes wait; try again",
        retryAfterMilliseconds: 200)
}
