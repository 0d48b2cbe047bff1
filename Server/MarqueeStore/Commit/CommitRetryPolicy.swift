/// How often to try a transaction, how long it may keep others waiting, and how long to ask for its outcome.
package struct CommitRetryPolicy: Hashable, Sendable {
    /// How often a batch is tried if it conflicts with others, or its connection is lost before it is committed.
    package var attempts = 5
    /// Seconds to spend finding out whether a commit took effect when its connection was lost.
    package var outcomeSeconds = 15
    /// Milliseconds between two attempts to connect while an outcome is unknown.
    package var pauseMilliseconds: UInt64 = 200
    /// Seconds that a statement waits for a row that another node has locked.
    package var lockSeconds = 10
    /// Seconds after which the server gives up on a node that has begun a transaction and sends nothing more: it may
    /// have stopped or be cut off, while all others wait for its locks. Shorter than `lockSeconds`.
    package var silenceSeconds = 8

    package init() {}
}
