import Foundation
import NIOCore
import NIOEmbedded
import Synchronization

@testable import MarqueeClient
@testable import MarqueeDiff
@testable import MarqueeMirror
@testable import MarqueeModel
@testable import MarqueeWire

/// A client's engine on this thread with a mirror in a file, and the server's side of its connection: bytes that were
/// made beforehand. What is measured is the client alone, from bytes to the value that a loop over a screen gets.
final class PlayedServer: ClientEnvironment {
    static let home = ViewID(screen: "home", locale: "en")

    private let loop = EmbeddedEventLoop()
    private var reader: ConnectionReader?
    private let link = Link()
    let mirror: Mirror
    let observer = Observer()
    private(set) var engine: ClientEngine!
    private var revision: UInt64 = 1

    init(mirror path: String) throws {
        mirror = try Mirror(location: .file(path)) { [UInt8](repeating: 1, count: MirrorLimit.clientIDBytes) }
        engine = try ClientEngine(
            configuration: ClientConfiguration(), loop: loop, hub: EventHub(), mirror: mirror, environment: self)
        engine.observe(Self.home, options: [], observer)
        loop.run()
        var welcome = Welcome()
        welcome.cluster = "bench"
        welcome.cut = cut
        reader?.received(MessageCodec.encode(.welcome(welcome), flags: []))
    }

    /// Closes the mirror. The engine and this object hold each other until then.
    func stop() {
        engine.stop()
        engine = nil
        reader = nil
    }

    private var cut: Cut { Cut(catalogueEpoch: 1, catalogueRevision: revision) }

    func uptime() -> UInt64 { DispatchTime.now().uptimeNanoseconds / 1_000_000 }
    func wallTime() -> Double { Date().timeIntervalSince1970 }
    func fraction() -> Double { 1 }
    func newClientID() -> [UInt8] { [UInt8](repeating: 1, count: MirrorLimit.clientIDBytes) }

    func connect(
        _ reader: ConnectionReader, to configuration: ClientConfiguration, on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        self.reader = reader
        let (bound, link) = (NIOLoopBound(reader, eventLoop: loop), NIOLoopBound(link, eventLoop: loop))
        loop.execute { bound.value.opened(link.value) }
        return loop.makeSucceededVoidFuture()
    }

    // MARK: - What the server says

    /// The frames that show a screen with all items of the sample.
    func wholeScreen() -> [ByteBuffer] {
        let list = Sample.list(Sample.sections)
        let versions = (0..<Sample.sections).map(Sample.section)
        var frames = ([list] + versions).enumerated().map { index, version in
            MessageCodec.encode(
                .stage(part(UInt64(index), from: .empty, to: version, CutChange())), flags: [.first])
        }
        let join = Join(
            subscription: link.subscription, generation: 0, viewHandle: 0, viewSum: list.sum,
            sections: versions.enumerated().map {
                Binding(section: "section-\($0)", handle: UInt64($0) + 1, sum: $1.sum)
            }, cut: CutChange(cut), screen: Self.home.screen, locale: Self.home.locale)
        frames.append(MessageCodec.encode(.join(join), flags: [.first, .last]))
        return frames
    }

    /// The frame of the next change: another version of one section.
    func change(_ section: Int, from old: Version, to new: Version) -> ByteBuffer {
        revision += 1
        return MessageCodec.encode(
            .data(part(UInt64(section) + 1, from: old, to: new, CutChange(cut))), flags: [.first, .last])
    }

    private func part(_ handle: UInt64, from old: Version, to new: Version, _ cut: CutChange) -> Part {
        let patch = Differ.patch(from: old, to: new)
        return Part(
            handle: handle, base: old.sum == Version.empty.sum ? nil : patch.base, target: patch.target,
            script: patch.script, adds: patch.adds, updates: patch.updates, head: patch.head,
            count: UInt32(patch.count), cut: cut)
    }

    func say(_ frame: ByteBuffer) { reader?.received(frame) }

    /// The client's way to send: only its subscription is of interest.
    private final class Link: ClientLink {
        private var frames = FrameDecoder(maximumLength: WireLimits.server.frameBytes)
        private(set) var subscription: UInt32 = 0

        func write(_ frame: ByteBuffer) {
            frames.append(frame)
            while let frame = try? frames.next() {
                if case .subscribe(let subscribe)? = try? MessageCodec.decode(frame, limits: .server) {
                    subscription = subscribe.subscription
                }
            }
        }

        func close() {}
    }

    /// Does with each state what an iterator of a loop does: makes the value and the changes since the last one.
    final class Observer: ScreenObserver {
        private struct Seen {
            var states = 0
            var last: ScreenState?
            var items = 0
        }

        private let seen = Mutex(Seen())
        var states: Int { seen.withLock { $0.states } }
        /// Items and changes that came out, so that nothing is left out as unused.
        var items: Int { seen.withLock { $0.items } }

        func put(_ new: ScreenState) {
            seen.withLock { seen in
                let changes = seen.last.map { new.changes(since: $0) } ?? ScreenChanges()
                seen.items &+= new.screen.sections.reduce(0) { $0 + $1.items.count } + changes.reconfiguredItems.count
                seen.states += 1
                seen.last = new
            }
        }

        func finish(_ error: ClientError?) {}
    }
}
