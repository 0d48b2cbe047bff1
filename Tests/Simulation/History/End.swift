import MarqueeMirror
import MarqueeModel
import MarqueeStore

/// The state once everything is quiet.
struct End {
    struct DeviceEnd {
        var number: Int
        var name: String
        var user: String?
        /// The user, with what its token says.
        var reader: Reader
        /// The views that the app wants to see, with the options it last requested for each section.
        var wanted: [(id: ViewID, options: [String: Chosen])]
        /// The part of those, and of the collections, in its mirror.
        var stored: [ViewID: StoredView]
        var outbox: [OutboxEntry]
        var rejections: [RejectedMutation]
        /// Whether it has a user, and may see what that user's collections are.
        var seesCollections: Bool
    }

    /// The requested sort and window, and its place, if any.
    struct Chosen {
        var sort: String?
        var window: UInt32?
        var place: WindowPlace?
    }

    var devices: [DeviceEnd]
    /// For each connection, the subscriptions counted by the node and those opened and not ended.
    var subscriptions: [(connection: Int, counted: Int, live: Int)] = []
    /// For each relay's connection, the guests the server upstream knows, and those the relay has.
    var guests: [(connection: Int, known: Int, there: Int)] = []
    /// By user.
    var members: [String: [StoredMember]]
}
