import MarqueeModel
import MarqueeWire
import Synchronization

/// Counts unary calls, and failed ones, by method. Thread safe.
final class CallTally: Sendable {
    typealias Completion = @Sendable (Result<[UInt8], Status>) -> Void

    /// The name of renewals in figures. A renewal changes its session, so the session answers it itself.
    static let renewal = Method.renew.name
    /// The name of introductions of a relay's guests.
    static let introduction = Method.introduce.name

    private let counts = Mutex<[String: CallFigures]>([:])

    /// Counts a call.
    /// - Parameter completion: the caller's completion.
    /// - Returns: a completion that also counts a failure.
    func count(_ call: ContentCall, _ completion: @escaping Completion) -> Completion {
        let method = call.method
        began(method)
        return { [self] result in
            if case .failure = result { failed(method) }
            completion(result)
        }
    }

    /// Counts a call by its method's name.
    func began(_ method: String) { counts.withLock { $0[method, default: CallFigures()].begun += 1 } }

    func failed(_ method: String) { counts.withLock { $0[method, default: CallFigures()].failed += 1 } }

    /// The counts by method; every method has one.
    var figures: [String: CallFigures] {
        let all = (ContentCall.methods + [Self.renewal, Self.introduction]).map { ($0, CallFigures()) }
        return counts.withLock { $0.merging(all) { known, _ in known } }
    }
}

/// Figures of one method's calls since start.
package struct CallFigures: Hashable, Sendable {
    package var begun: UInt64 = 0
    package var failed: UInt64 = 0

    package init() {}
}

extension ContentCall {
    /// The name of each method in figures.
    fileprivate static let methods = [
        Method.health, .describe, .getScreen, .plan, .search, .collection, .report, .publish, .source, .recordSums,
        .drafts,
    ].map(\.name)

    fileprivate var method: String {
        let method: Method =
            switch self {
            case .health: .health
            case .describe: .describe
            case .getScreen: .getScreen
            case .plan: .plan
            case .search: .search
            case .collection: .collection
            case .report: .report
            case .publish: .publish
            case .source: .source
            case .recordSums: .recordSums
            case .drafts: .drafts
            }
        return method.name
    }
}
