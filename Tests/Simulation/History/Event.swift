import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeServer
import MarqueeStore
import MarqueeWire

/// Something that happened in a schedule, as seen from outside all programs: on the wire, on disks, in apps.
enum Event {
    // The store
    case wrote([StoreWrite], [StoreOutcome])
    /// A clock has leapt; with what the store remembers of a client.
    case remembered((_ client: [UInt8]) -> UInt64?)
    /// The store was restored to its state at a mark, with new epochs.
    case restored(catalogueEpoch: UInt64, userEpoch: UInt64)

    // Connections
    case connected(connection: Int, device: Int, node: Int)
    /// It has reached a node, which may refuse it.
    case arrived(connection: Int, node: Int, address: String)
    /// It has hit a limit of its node: it, or what it asks for, is refused, or another one is closed to make room.
    case hit(Limit, connection: Int, evicted: Int?)
    /// The node has forgotten it.
    case ended(connection: Int)
    /// A relay has opened it.
    case linked(connection: Int, relay: Int)
    /// A relay's process is over; what it showed is forgotten there.
    case relayEnded(node: Int)
    /// A node has admitted a client by a token, or accepted a newer one from it.
    case admitted(connection: Int, token: String)
    /// A node wrote a frame; with the screen whose content is in it.
    case fromServer(connection: Int, Message, flags: FrameFlags, bytes: Int, screen: String?)
    /// The network changed bytes in transit to a device.
    case damaged(connection: Int)
    /// A node received a message.
    case toServer(connection: Int, Message)
    /// A device took a frame off the wire.
    case toClient(connection: Int, Message, flags: FrameFlags, bytes: Int)

    // Mutations, when they were applied
    case mutated(device: Int, connection: Int, client: [UInt8], CollectionRequest, Result<StoreOutcome, StoreError>)

    // A device's disk
    /// A process opened it and found this.
    case opened(device: Int, seen: Cut?, outbox: [OutboxEntry])
    case crashed(device: Int)
    /// One of its bits flipped.
    case rotted(device: Int)
    case stored(device: Int, MirrorTransaction)
    /// It had no room; the process continues with what is in memory.
    case kept(device: Int, MirrorTransaction)
    case queued(device: Int, client: [UInt8], OutboxEntry)
    case froze(device: Int, [UInt64])
    case answered(device: Int, number: UInt64, cut: Cut)
    case rejected(device: Int, number: UInt64, reason: String)
    /// Rotten content was rewritten.
    case mended(device: Int, ViewID, [String])
    case renumbered(device: Int, client: [UInt8], Renumbering)

    // An app
    /// It wants to see a screen, or a section with different options.
    case asked(device: Int, ViewID, SectionOptions?)
    case left(device: Int, ViewID)
    case refused(device: Int, ViewID, ClientError)
    case shown(device: Int, ScreenState)
    case notified(device: Int, ClientEvent)
    /// The client has finished everything triggered by one call or one chunk of bytes. With the collections it would
    /// now return, if it has a user.
    case settled(device: Int, lists: [CollectionName: [String]]?)
}
