/// Counts and latencies of a client's work since it was made, for an app's analytics. Numbers only: nothing of the user
/// is in them.
///
/// They only rise. Take them now and then, and send the differences.
public struct ClientCounters: Hashable, Sendable {
    /// Bytes of the protocol, apart from what TLS adds.
    public var bytesReceived = 0
    /// Bytes given to the connection.
    public var bytesSent = 0
    /// Connections that were welcomed by a server.
    public var connections = 0
    /// Attempts that came to nothing, and connections that broke.
    public var failures = 0
    /// Changes of screens that were received, each for all screens at once.
    public var cuts = 0
    /// Cuts that didn't verify and were sent again.
    public var repairs = 0
    /// Stored sections whose bytes had changed.
    public var damagedSections = 0
    /// Times that something could not be stored.
    public var storageFailures = 0
    /// Changes of collections that the server confirmed, and that were rolled back.
    public var confirmedChanges = 0
    /// Changes of collections that the server refused.
    public var rejectedChanges = 0
    /// From the beginning of an attempt to the server's welcome.
    public var connecting = Latency()
    /// From the beginning of a loop over a screen to its first state, where the mirror had one.
    public var firstState = Latency()
    /// From the beginning of a loop over a screen to its first current state, the wait for a connection included.
    public var firstLiveState = Latency()
    /// From a call to its answer: screens fetched once, and searches.
    public var calls = Latency()
    /// From sending a change of a collection to its answer.
    public var changes = Latency()

    /// Nothing has happened yet.
    public init() {}

    /// How long something took, each time.
    public struct Latency: Hashable, Sendable {
        /// How many times.
        public var count = 0
        /// All of them together.
        public var total = Duration.zero
        /// The longest one.
        public var longest = Duration.zero

        /// Nothing was measured yet.
        public init() {}

        /// `nil` if it never happened.
        public var mean: Duration? { count > 0 ? total / count : nil }

        mutating func add(_ milliseconds: UInt64) {
            let duration = Duration.milliseconds(Int64(clamping: milliseconds))
            count += 1
            total += duration
            longest = max(longest, duration)
        }
    }
}
