/// Counts and latencies of a client's work since it was made, for an app's analytics. They contain numbers only, and no
/// user data.
///
/// They only rise. Read them periodically, and send the differences.
package struct ClientCounters: Hashable, Sendable {
    /// Bytes of the protocol, without the overhead of TLS.
    package var bytesReceived = 0
    /// Bytes written to the connection.
    package var bytesSent = 0
    /// Connections that were welcomed by a server.
    package var connections = 0
    /// Failed attempts, and connections that broke.
    package var failures = 0
    /// Cuts received; each updates all screens at once.
    package var cuts = 0
    /// Cuts that didn't verify and were sent again.
    package var repairs = 0
    /// Stored sections whose bytes had changed.
    package var damagedSections = 0
    /// Failures to store something.
    package var storageFailures = 0
    /// Changes of collections that the server confirmed.
    package var confirmedChanges = 0
    /// Changes of collections that were rolled back.
    package var rejectedChanges = 0
    /// Observations dropped without a report, because there were too many or the server refused them.
    package var droppedObservations = 0
    /// From the start of an attempt to the server's welcome.
    package var connecting = Latency()
    /// From the start of a loop over a screen to its first state, where the mirror had one.
    package var firstState = Latency()
    /// From the start of a loop over a screen to its first current state, including the wait for a connection.
    package var firstLiveState = Latency()
    /// From a call to its answer: screens fetched once, and searches.
    package var calls = Latency()
    /// From sending a change of a collection to its answer.
    package var changes = Latency()

    /// Creates counters that are all zero.
    package init() {}

    /// The durations of one kind of operation.
    package struct Latency: Hashable, Sendable {
        /// The number of operations measured.
        package var count = 0
        /// The sum of all durations.
        package var total = Duration.zero
        /// The longest duration.
        package var longest = Duration.zero

        /// Creates a latency without measurements.
        package init() {}

        /// The mean duration; `nil` without measurements.
        package var mean: Duration? { count > 0 ? total / count : nil }

        mutating func add(_ milliseconds: UInt64) {
            let duration = Duration.milliseconds(Int64(clamping: milliseconds))
            count += 1
            total += duration
            longest = max(longest, duration)
        }
    }
}
