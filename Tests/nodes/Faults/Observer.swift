import MarqueeClient
import NIOPosix

/// One client that records every state it shows: which position it names, and what is there.
final class Observer: Sendable {
    static let threads = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    /// The text before the key in a movie's overview, and after it.
    static let opening = "nodes{"
    static let closing = "}"

    let name: String
    let user: String
    let client: MarqueeClient
    private let recorder: Recorder

    init(_ name: String, _ configuration: ClientConfiguration, recorder: Recorder) {
        self.name = name
        user = configuration.user ?? ""
        client = MarqueeClient(configuration, sharing: Self.threads.next())
        self.recorder = recorder
    }

    /// Records what it shows until it is cancelled.
    func watch() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.watch(.home, as: .home) }
            group.addTask { await self.watch(.favorites, as: .favorites) }
            group.addTask { await self.watchCounter() }
        }
        await client.close()
    }

    private func watch(_ id: ScreenID, as screen: RecordedScreen) async {
        do {
            var last: (Position, [String: String])?
            for try await update in client.screen(id) {
                if screen == .home { recorder.record(.live(observer: name, isLive: update.isLive)) }
                let (position, content) = (Self.position(update.screen.revision), Self.content(update.screen, screen))
                // An update may only be about being live.
                if let last, last == (position, content) { continue }
                last = (position, content)
                recorder.record(.shown(observer: name, user: user, screen, position, content))
            }
            if !Task.isCancelled { recorder.record(.ended(process: "\(id) of \(name)", status: "without a reason")) }
        } catch {
            if !Task.isCancelled { recorder.record(.ended(process: "\(id) of \(name)", status: "\(error)")) }
        }
    }

    private func watchCounter() async {
        do {
            for try await state in client.collection(CollectionName(Stored.counter)).states where state.isLoaded {
                guard let value = state.members.first(where: { !$0.isPending })?.value?.number else { continue }
                recorder.record(.counted(observer: name, user: user, value: Int(value)))
            }
        } catch {
            if !Task.isCancelled { recorder.record(.ended(process: "counter of \(name)", status: "\(error)")) }
        }
    }

    private static func position(_ cut: Cut) -> Position {
        Position(
            epoch: cut.catalogueEpoch, revision: cut.catalogueRevision, userEpoch: cut.userEpoch,
            userRevision: cut.userRevision)
    }

    private static func content(_ screen: Screen, _ recorded: RecordedScreen) -> [String: String] {
        var content: [String: String] = [:]
        for item in screen.sections.flatMap(\.items) {
            guard let subject = item.subject?.name, subject.hasPrefix("movie/") else { continue }
            let key = recorded == .home ? key(in: item.record?.bytes ?? []) : ""
            // One screen that has two of them is wrong at any position.
            content[subject] = content[subject].map { $0 == key ? key : "\($0) and \(key)" } ?? key
        }
        return content
    }

    /// Found in the record's bytes, without its schema.
    private static func key(in bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = text.range(of: opening)?.upperBound,
            let end = text[start...].range(of: closing)?.lowerBound
        else { return "" }
        return String(text[start..<end])
    }
}
