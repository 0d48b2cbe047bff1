import MarqueeMirror
import MarqueeModel
import MarqueeStore

/// What is there when all has become quiet.
struct End {
    struct DeviceEnd {
        var number: Int
        var name: String
        var user: String?
        /// What the app wants to see, with what it asked for of each section last.
        var wanted: [(id: ViewID, options: [String: Chosen])]
        /// What its mirror holds of that, and of the favorites.
        var stored: [ViewID: StoredView]
        var outbox: [OutboxEntry]
        var rejections: [RejectedMutation]
    }

    /// A sort and a window, as far as they were asked for.
    struct Chosen {
        var sort: String?
        var window: UInt32?
    }

    var devices: [DeviceEnd]
    /// By user.
    var favorites: [String: [Favorite]]
}
