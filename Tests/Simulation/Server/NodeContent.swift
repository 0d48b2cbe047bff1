import MarqueeModel
import MarqueeServer
import MarqueeStore
import MarqueeWire

/// The content of a node, and who may see it: screens of the store, or those of a server upstream. It is to nodes what
/// `ContentSource` and `Authenticator` are to the servers that ship.
///
/// Completions are called at once or later, on the thread that publishes.
protocol NodeContent: AnyObject {
    /// Starts over: anything only in memory is gone.
    /// - Returns: the catalogue's revision.
    func start(now: UInt64) throws(StoreError) -> UInt64
    /// The process dies.
    func crash()

    /// Whether one of its threads has work.
    var hasWork: Bool { get }
    /// The thread that publishes does one thing.
    func runJob(now: UInt64)
    func tick(now: UInt64)

    func identify(
        _ credentials: Credentials, of origin: @escaping () -> Origin,
        completion: @escaping (Result<Identity, Status>) -> Void)
    func standing(of identity: Identity) -> Standing
    func locate(
        _ caller: ContentCaller, claim: PositionClaim?,
        completion: @escaping (Result<(cut: Cut, lastMutation: UInt64?), Status>) -> Void)
    func open(
        _ request: OpenRequest, by caller: ContentCaller, for connection: Connection,
        completion: @escaping (Result<OpenedView, Status>) -> Void)
    func release(_ handles: [UInt64])
    func perform(
        _ call: ContentCall, by caller: ContentCaller, from origin: Origin,
        completion: @escaping (Result<[UInt8], Status>) -> Void)
}

/// The device that something comes from, possibly by way of relays, and its own connection.
struct Origin: Hashable {
    var device: Int
    var connection: Int
}
