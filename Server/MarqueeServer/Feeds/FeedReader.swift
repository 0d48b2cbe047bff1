package import MarqueeModel
package import NIOCore

/// The output to a reader that follows a screen. Called on the event loop.
package protocol FeedOutput: AnyObject {
    /// Sends text.
    /// - Returns: whether more may follow at once; if not, call `FeedReader.isReady` once it may.
    func send(_ text: ByteBuffer) -> Bool
    /// Asks for the screen to be opened again: its plan has changed, or its variants aren't kept any more.
    func reopen()
    /// Ends the output, with a status that says why.
    func end(_ status: Status)
}

/// Makes the text that takes a reader from one state, or from nothing, to another. Called on any thread.
package typealias FeedText = @Sendable (_ base: FeedState?, _ target: FeedState) -> ByteBuffer

/// A reader that follows a screen: the state that it was sent last, and whether it accepts more. Nothing else is kept
/// for it, however slow it is. Belongs to one event loop.
package final class FeedReader {
    /// The state that it was sent last.
    var held: FeedState?
    /// The state that it has from an earlier connection; used when the screen is opened.
    var seen: SeenScreen?
    let identity: Identity
    unowned let output: any FeedOutput
    /// The feed that it reads, and its index there.
    weak var feed: ScreenFeed?
    var index = 0
    /// Whether it accepts more.
    var canTake = true
    /// Whether it is waiting for a text that is being made.
    var isWaiting = false
    /// Whether it no longer follows anything.
    var hasLeft = false

    /// - Parameter seen: the screen that it already has.
    init(_ output: any FeedOutput, identity: Identity, seen: SeenScreen?) {
        self.output = output
        self.identity = identity
        self.seen = seen
    }

    /// Call this when the output accepts more.
    package func isReady() {
        guard !canTake else { return }
        canTake = true
        feed?.serve(self)
    }
}
