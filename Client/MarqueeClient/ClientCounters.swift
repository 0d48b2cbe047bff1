/// Counts and latencies of a client's work since it was made, for an app's analytics. Numbers only: nothing of the user
/// is in them.
///
/// They only rise. Take them now and then, and send the differences.
package struct ClientCounters: Hashable, Sendable {
    /// Bytes of the protocol, apart from what TLS adds.
    package var bytesReceived = 0
    /// Bytes given to the connection.
    package var bytesSent = 0
    /// Connections that were welcomed by a server.
    package var connections = 0
    /// Failed attempts, and connections that broke.
    package var failures = 0
    /// Changes of screens that were received, each for all screens at once.
    package var cuts = 0
    /// Cuts that didn't verify and were sent again.
    package var repairs = 0
    /// Stored sections whose bytes had changed.
    package var damagedSections = 0
    /// Times that something could not be stored.
    package var storageFailures = 0
    /// Changes of collections that the server confirmed, and that were rolled back.
    package var confirmedChanges = 0
    /// Changes of collections that the server refused.
    package var rejectedChanges = 0
    /// Things seen or tapped that nobody will be told: there were too many, or the server refused them.
    package var droppedObservations = 0
    /// From the beginning of an attempt to the server's welcome.
    package var connecting = Latency()
    /// From the beginning of a loop over a screen to its first state, where the mirror had one.
    package var firstState = Latency()
    /// From the beginning of a loop over a screen to its first current state, the wait for a connection included.
    package var firstLiveState = Latency()
    /// From a call to its answer: screens fetched once, and searches.
    package var calls = Latency()
    /// From sending a change of a collection to its answer.
    package var changes = Latency()

    /// Nothing has happened yet.
    package init() {}

    /// How long something took, each time.
    package struct Latency: Hashable, Sendable {
        /// How many times.
        package var count = 0
        /// All of them together.
        package var total = Duration.zero
        /// The longest one.
        package var longest = Duration.zero

        /// Nothing was measured yet.
        package init() {}

        /// `nil` if it never happened.
        package var mean: Duration? { count > 0 ? total / count : nil }

        mutating func add(_ milliseconds: UInt64) {
            let duration = Duration.milliseconds(Int64(clamping: milliseconds))
            count += 1
            total += duration
            longest = max(longest, duration)
        }
    }
}
