/// How often a transaction is tried, how long it may keep others waiting, and how long its outcome is asked for.
package struct CommitPatience: Hashable, Sendable {
    /// How often a batch is tried when others are in its way, or its connection was lost before it was committed.
    package var attempts = 5
    /// Seconds spent on finding out whether a commit took effect after its connection was lost.
    package var outcomeSeconds = 15
    /// Milliseconds between two attempts to connect while an outcome is unknown.
    package var pauseMilliseconds: UInt64 = 200
    /// Seconds that a statement waits for a row that another node has locked.
    package var lockSeconds = 10
    /// Seconds after which the server gives up on a node that has begun a transaction and says nothing more: it may
    /// have stopped, or be cut off, and all others wait for its locks. Less than they wait.
    package var silenceSeconds = 8

    package init() {}
}
