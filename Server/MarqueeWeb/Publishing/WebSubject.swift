import MarqueeServer
import MarqueeWire
import NIOHTTP1

/// The subject of a request with a body.
enum WebSubject: Sendable {
    /// The changes in the body.
    case changes(DryRun?)
    /// The changes in each line of a body without end.
    case lines
    /// One record.
    case record(type: String, id: String, RecordMethod)
    /// The changes that a delivery means.
    case delivery(Hook)
    /// A member of the client's collection with this name.
    case member(collection: String)
    /// Observations that a client reports.
    case seen

    /// A change of a single record.
    enum RecordMethod: Hashable, Sendable { case put, patch, delete }

    /// A publication that changes nothing.
    struct DryRun: Hashable, Sendable {
        /// The screen that the client wants to see changed.
        var screen: GetScreenRequest?
    }

    /// The most bytes of the body.
    var maximumBytes: Int {
        switch self {
        case .changes, .lines, .record: WebBounds.bodyBytes
        case .delivery: Hook.maximumBytes
        case .member: WebMember.maximumBytes
        case .seen: WebReport.maximumBytes
        }
    }

    /// Why it is refused before the body arrives; `nil` if it isn't.
    func refusal(of identity: Identity) -> WebProblem? {
        switch self {
        case .changes, .lines, .record, .delivery: identity.scopes.allowsPublishing ? nil : .publishDenied
        // The scopes for the collection and the screen are checked as on the protocol's port.
        case .member, .seen: nil
        }
    }
}
