/// Why a patch was refused. Nothing of a refused patch was applied.
package struct PatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a caller may tell apart.
    package enum Code: Hashable, Sendable {
        /// The patch starts from another version.
        case otherBase
        /// The result is not the version that the patch names.
        case otherTarget
        /// The script can't be read: truncated, a wrong varint, a list operation behind an update.
        case malformedScript
        /// A range outside the base or the target.
        case outOfRange
        /// An item of the base used twice.
        case usedTwice
        /// More or fewer items, adds or updates than the script says.
        case wrongCount
        /// An id that the target would hold twice, or an empty one.
        case invalidID
        /// An update of an item that the same patch adds.
        case updateOfAdded
        /// A head or body that is not canonical, or a change that can't be applied to it.
        case invalidBody
        /// More items than a list may hold.
        case overLimit
    }

    package var code: Code
    /// For people.
    package var message: String
    /// The sum that the patch led to, where it is another one than it names.
    package var computed: UInt64?

    package init(_ code: Code, _ message: String, computed: UInt64? = nil) {
        self.code = code
        self.message = message
        self.computed = computed
    }

    package var description: String { message }
}
