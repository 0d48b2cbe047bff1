/// The effect that a publication would have on a screen, as clients without a user see it.
package struct PublicationPreview: Sendable {
    /// The screen as it is, and as it would be.
    package let states: (before: FeedState, after: FeedState)
    /// Bytes of frames that take a client from one to the other: it is sent patches, or sections whole where that is
    /// less. The few bytes that end a cut are not among them.
    package let bytes: Int
}
