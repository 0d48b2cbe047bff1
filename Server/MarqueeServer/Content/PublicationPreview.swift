/// The effect that a publication would have on a screen, as clients without a user see it.
package struct PublicationPreview: Sendable {
    /// The screen as it is, and as it would be.
    package let states: (before: FeedState, after: FeedState)
    /// Bytes of the frames that take a client from one to the other: patches, or whole sections where they are smaller.
    /// The few bytes that end a cut are not counted.
    package let bytes: Int
}
