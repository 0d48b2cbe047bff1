/// The reason why a patch was refused. No part of a refused patch is applied.
package struct PatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal that a caller can distinguish.
    package enum Code: Hashable, Sendable {
        /// The patch's base is a different version.
        case otherBase
        /// The result isn't the version the patch names.
        case otherTarget
        /// The script can't be read: truncated, a malformed varint, a list operation after an update.
        case malformedScript
        /// A range outside the base or the target.
        case outOfRange
        /// An item of the base used twice.
        case usedTwice
        /// The number of items, adds or updates differs from the script's.
        case wrongCount
        /// A duplicate or empty id in the target.
        case invalidID
        /// An update of an item that the same patch adds.
        case updateOfAdded
        /// A head or body that is not canonical, or a change that can't be applied to it.
        case invalidBody
        /// More items than a list may hold.
        case overLimit
    }

    package var code: Code
    /// A human-readable message.
    package var message: String
    /// The sum of the patch's result, if it differs from the one the patch names.
    package var computed: UInt64?

    package init(_ code: Code, _ message: String, computed: UInt64? = nil) {
        self.code = code
        self.message = message
        self.computed = computed
    }

    package var description: String { message }
}
