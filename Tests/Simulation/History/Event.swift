import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeStore
import MarqueeWire

/// Something that happened in a schedule, as somebody outside of all programs would note it: on the wire, on disks, in
/// apps.
enum Event {
    // The store
    case wrote([StoreWrite], [StoreOutcome])
    /// The store was put back to what it was at a mark, under new epochs.
    case restored(catalogueEpoch: UInt64, userEpoch: UInt64)

    // Connections
    case connected(connection: Int, device: Int, node: Int)
    /// The node knows no more of it.
    case ended(connection: Int)
    /// A node wrote a frame.
    case fromServer(connection: Int, kind: FrameKind, flags: FrameFlags, bytes: Int)
    /// The network changed bytes on their way to a device.
    case damaged(connection: Int)
    /// A node took in a message.
    case toServer(connection: Int, Message)
    /// A device took a frame off the wire.
    case toClient(connection: Int, Message, flags: FrameFlags, bytes: Int)

    // Mutations, where they were applied
    case mutated(device: Int, client: [UInt8], FavoriteRequest, Result<StoreOutcome, StoreError>)

    // A device's disk
    /// A process has opened it and found this.
    case opened(device: Int, seen: Cut?, outbox: [OutboxEntry])
    case crashed(device: Int)
    /// A bit of it is another one.
    case rotted(device: Int)
    case stored(device: Int, MirrorTransaction)
    /// It had no room; the process goes on with what is in memory.
    case kept(device: Int, MirrorTransaction)
    case queued(device: Int, client: [UInt8], OutboxEntry)
    case froze(device: Int, [UInt64])
    case answered(device: Int, number: UInt64, cut: Cut)
    case rejected(device: Int, number: UInt64, reason: String)
    /// What had rotted was written anew.
    case mended(device: Int, ViewID, [String])
    case renumbered(device: Int, client: [UInt8], Renumbering)

    // An app
    /// It wants to see a screen, or one of its sections in another way.
    case asked(device: Int, ViewID, SectionOptions?)
    case left(device: Int, ViewID)
    case refused(device: Int, ViewID, ClientError)
    case shown(device: Int, ScreenState)
    case told(device: Int, ClientEvent)
    /// The client has done all that one call or one piece of bytes made it do. With the list of favorites that it would
    /// give now, if it has a user.
    case settled(device: Int, favorites: [String]?)
}
