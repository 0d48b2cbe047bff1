/// The load of one session: all that it holds for its client, and how much it has sent. It holds no more than this,
/// however long the client leaves its data unread (G8).
package struct SessionLoad: Hashable, Sendable {
    /// Bytes in the connection's write buffer, on their way to the kernel.
    package var bufferedBytes = 0
    /// Bytes of the current cut's frames and of control frames that aren't written yet. Data frames are shared by all
    /// sessions.
    package var waitingBytes = 0
    /// Variants whose newest version has not been sent to the client.
    package var variantsBehind = 0
    /// Bytes of answers waiting to be written, and of publications that are arriving or being committed.
    package var answerBytes = 0
    package var publicationBytes = 0
    /// Bytes of data and stage frames sent since the connection began, and how many the client has acknowledged.
    package var sentBytes: UInt64 = 0
    package var acknowledgedBytes: UInt64 = 0

    package init() {}
}

extension SessionCore {
    /// The current load, not counting the connection's own buffer.
    var load: SessionLoad {
        var load = SessionLoad()
        load.variantsBehind = variants.dirty.count
        load.answerBytes = calls.answers.bytes
        load.publicationBytes = calls.publicationBytes
        load.sentBytes = progress.flow.sent
        load.acknowledgedBytes = progress.flow.acknowledged
        load.waitingBytes = control.reduce(0) { $0 + $1.readableBytes }
        for entry in outgoing.entries.dropFirst(outgoing.next) {
            if case .shared(let patch, let part) = entry {
                load.waitingBytes += patch.frame(part, kind: .data, flags: []).readableBytes
            }
        }
        return load
    }
}
