package import MarqueeModel
package import NIOCore

/// The way to a follower of a screen. Called on the event loop.
package protocol FeedOutput: AnyObject {
    /// Sends text.
    /// - Returns: whether more may follow at once; otherwise `FeedReader.isReady` says so later.
    func send(_ text: ByteBuffer) -> Bool
    /// The screen has to be opened again: it is planned differently, or its variants aren't kept any more.
    func reopen()
    /// Nothing more will come.
    func end(_ status: Status)
}

/// Makes the text that takes a reader from a state, or from nothing, to another. Called on any thread.
package typealias FeedText = @Sendable (_ base: FeedState?, _ target: FeedState) -> ByteBuffer

/// Somebody who follows a screen: the state that it was sent last, and whether it can take more. However slow a reader
/// is, that is all that is kept for it. Belongs to one event loop.
package final class FeedReader {
    /// The state that it was sent last.
    var held: FeedState?
    /// The state that it has from an earlier connection, until the screen is open.
    var seen: SeenScreen?
    let identity: Identity
    unowned let output: any FeedOutput
    /// The feed that it reads, and its place there.
    weak var feed: ScreenFeed?
    var index = 0
    /// Whether it can take more.
    var canTake = true
    /// Whether it waits for a text that is being made.
    var isWaiting = false
    /// Whether it follows nothing any more.
    var hasLeft = false

    /// - Parameter seen: the screen that it has already.
    init(_ output: any FeedOutput, identity: Identity, seen: SeenScreen?) {
        self.output = output
        self.identity = identity
        self.seen = seen
    }

    /// It can take more.
    package func isReady() {
        guard !canTake else { return }
        canTake = true
        feed?.serve(self)
    }
}
