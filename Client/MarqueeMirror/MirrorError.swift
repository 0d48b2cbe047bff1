/// A failure of the mirror. What was stored before is unchanged.
package struct MirrorError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable {
        /// There is no mirror to read yet: no file, an empty one, or one whose creation was interrupted.
        case none
        /// The stored bytes are not a readable database.
        case corrupt
        case diskFull
        /// Another process, or another mirror in this one, has the file open.
        case ownedByOther
        /// Another process has been writing the file for longer than `MirrorLimit.busySeconds`.
        case busy
        /// The file is a database of another program, or of a newer version of this one.
        case foreignFile
        /// The mirror belongs to another user.
        case belongsToOtherUser
        /// The mirror belongs to another cluster.
        case belongsToOtherCluster
        /// Any other failure to read or write.
        case io
        /// The mirror was closed.
        case closed
        /// The mirror's file is closed until it is resumed.
        case suspended
        /// An argument is outside its named bound, or a bounded table is full.
        case limit
    }

    package var code: Code
    /// A message for people; names the file if there is one.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
