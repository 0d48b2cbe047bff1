import MarqueeModel
import MarqueeWire
import NIOCore

/// Runs `body` on another thread, then calls `then` with its result on the event loop.
typealias FeedWork = (_ body: @escaping @Sendable () -> ByteBuffer, _ then: @escaping (ByteBuffer) -> Void) -> Void

/// The screens that readers of one event loop follow through a door. Lives on the loop.
final class LoopFeeds {
    /// The newest revision of the catalogue that was published here.
    private var revision: UInt64 = 0
    private var feeds: [[UInt64]: ScreenFeed] = [:]
    /// Feeds by the request that began each, until their plans change.
    private var requested: [OpenRequest: ScreenFeed] = [:]
    private var nextNumber: UInt64 = 0
    /// Feeds by number, grouped by the contents that they show, and by their users.
    private var showing: [UInt64: [UInt64: ScreenFeed]] = [:]
    private var users: [String: [UInt64: ScreenFeed]] = [:]
    /// Feeds whose readers are being served.
    private var rounds: [ScreenFeed] = []
    /// Readers that have seen more than this server has, with their views.
    private var early: [Early] = []

    private struct Early {
        let reader: FeedReader
        let request: OpenRequest
        var screen: FollowedScreen
        let making: FeedText
        /// When to give up waiting, in milliseconds of the server's clock.
        let deadline: UInt64
    }

    private let library: VersionLibrary
    private let work: FeedWork
    private let onRound: () -> Void
    private let onRelease: ([UInt64]) -> Void
    private(set) var readerCount = 0

    /// - Parameters:
    ///   - onRound: called when readers have to be served by calling `deliver`.
    ///   - onRelease: called with handles that nobody follows any more.
    init(
        library: VersionLibrary, work: @escaping FeedWork, onRound: @escaping () -> Void,
        onRelease: @escaping ([UInt64]) -> Void
    ) {
        self.library = library
        self.work = work
        self.onRound = onRound
        self.onRelease = onRelease
    }

    // MARK: - Readers

    /// Whether a reader can join others who have made the same request: then no view has to be opened for it.
    func canJoin(_ reader: FeedReader, _ request: OpenRequest) -> Bool {
        requested[request].map { !isEarly(reader, $0.screen) } ?? false
    }

    /// Adds a reader that can join others.
    func join(_ reader: FeedReader, _ request: OpenRequest) {
        guard let feed = requested[request] else { return }
        readerCount += 1
        feed.add(reader, in: library)
    }

    /// Adds a reader for whom a view was opened.
    /// - Parameters:
    ///   - deadline: when to give up waiting, if the reader has seen more than this server has.
    func add(
        _ reader: FeedReader, _ request: OpenRequest, _ view: OpenedView, making: @escaping FeedText, deadline: UInt64
    ) {
        readerCount += 1
        let screen = FollowedScreen(view, user: reader.identity.user)
        if isEarly(reader, screen) {
            early.append(
                Early(reader: reader, request: request, screen: screen, making: making, deadline: deadline))
        } else {
            join(reader, request, screen, making)
        }
    }

    /// Whether a reader has to wait, because it must not get anything older than it has.
    private func isEarly(_ reader: FeedReader, _ screen: FollowedScreen) -> Bool {
        guard let seen = reader.seen?.cut ?? reader.held?.cut else { return false }
        var cut = screen.view.cut
        cut.catalogueRevision = max(cut.catalogueRevision, revision)
        return cut.isBehind(seen)
    }

    private func join(
        _ reader: FeedReader, _ request: OpenRequest, _ screen: FollowedScreen, _ making: @escaping FeedText
    ) {
        let handles = screen.view.handles
        let feed: ScreenFeed
        if let known = feeds[handles] {
            // The feed already holds references to these variants, and one set is enough.
            onRelease(handles)
            feed = known
        } else {
            nextNumber += 1
            feed = ScreenFeed(nextNumber, request, screen, at: revision, making: making, work: work) { [weak self] in
                self?.wake(handles)
            }
            feeds[handles] = feed
            requested[request] = feed
            for content in screen.contents { showing[content, default: [:]][feed.number] = feed }
            if let user = screen.user { users[user, default: [:]][feed.number] = feed }
        }
        feed.add(reader, in: library)
    }

    /// Removes a reader that has gone, or whose screen is opened again.
    func remove(_ reader: FeedReader) {
        if let place = early.firstIndex(where: { $0.reader === reader }) {
            readerCount -= 1
            onRelease(early.remove(at: place).screen.view.handles)
        } else if let feed = reader.feed {
            readerCount -= 1
            feed.remove(reader)
            if feed.readers.isEmpty { remove(feed) }
        }
    }

    private func remove(_ feed: ScreenFeed) {
        let handles = feed.screen.view.handles
        feeds[handles] = nil
        forgetRequest(of: feed)
        for content in feed.screen.contents { Self.remove(feed, content, from: &showing) }
        if let user = feed.screen.user { Self.remove(feed, user, from: &users) }
        rounds.removeAll { $0 === feed }
        onRelease(handles)
    }

    private func forgetRequest(of feed: ScreenFeed) {
        if requested[feed.request] === feed { requested[feed.request] = nil }
    }

    private static func remove<Key>(_ feed: ScreenFeed, _ key: Key, from table: inout [Key: [UInt64: ScreenFeed]]) {
        table[key]?[feed.number] = nil
        if table[key]?.isEmpty == true { table[key] = nil }
    }

    // MARK: - Publications

    func published(_ publication: Publication) {
        if let status = publication.end { return end(status) }
        revision = max(revision, publication.catalogueRevision)
        var replanned: [FeedReader] = []
        for feed in concerned(by: publication) {
            switch feed.screen.follow(publication) {
            case .none: break
            case .content: if feed.changed(at: revision) { rounds.append(feed) }
            case .plan:
                // Its readers ask again one after the other, and mustn't meet here.
                forgetRequest(of: feed)
                replanned += feed.readers
            }
        }
        for index in early.indices.reversed() {
            if early[index].screen.follow(publication) == .plan {
                replanned.append(early[index].reader)
            } else if !isEarly(early[index].reader, early[index].screen) {
                let late = early.remove(at: index)
                join(late.reader, late.request, late.screen, late.making)
            }
        }
        for reader in replanned {
            remove(reader)
            reader.output.reopen()
        }
        if !rounds.isEmpty { onRound() }
    }

    /// The feeds that a publication concerns, in an order that is the same in every run.
    private func concerned(by publication: Publication) -> [ScreenFeed] {
        if publication.replans != .none || !publication.gone.isEmpty || !publication.ended.isEmpty {
            return feeds.values.sorted { $0.number < $1.number }
        }
        var found: [UInt64: ScreenFeed] = [:]
        // Walks the smaller of the two: a commit may change thousands of contents.
        let contents =
            publication.changes.count < showing.count
            ? Array(publication.changes.keys) : showing.keys.filter { publication.changes[$0] != nil }
        for content in contents { found.merge(showing[content] ?? [:]) { first, _ in first } }
        for user in publication.users.keys { found.merge(users[user] ?? [:]) { first, _ in first } }
        return found.values.sorted { $0.number < $1.number }
    }

    /// Ends all feeds: the logs that their screens came from were replaced.
    private func end(_ status: Status) {
        revision = 0
        requested = [:]
        for reader in feeds.values.flatMap(\.readers) + early.map(\.reader) {
            remove(reader)
            reader.output.end(status)
        }
    }

    // MARK: - Rounds

    private func wake(_ handles: [UInt64]) {
        guard let feed = feeds[handles] else { return }
        if !rounds.contains(where: { $0 === feed }) { rounds.append(feed) }
        onRound()
    }

    /// Serves readers.
    /// - Parameter hasTime: checked after each reader.
    /// - Returns: `false` if time ran out; call it again later.
    func deliver(while hasTime: () -> Bool) -> Bool {
        while let feed = rounds.last {
            guard feed.goOn(at: revision, while: hasTime) else { return false }
            // The feed may be gone already, if its last reader left.
            rounds.removeAll { $0 === feed }
        }
        return true
    }

    // MARK: - Time

    /// Called about once a second.
    /// - Parameter ending: returns why an identity has ended, if it has; `nil` if none can end.
    func tick(now: UInt64, ending: ((Identity) -> Status?)?) {
        for late in early where late.deadline <= now {
            remove(late.reader)
            late.reader.output.end(.nodeBehind)
        }
        guard let ending else { return }
        for reader in feeds.values.flatMap(\.readers) + early.map(\.reader) {
            guard let status = ending(reader.identity) else { continue }
            remove(reader)
            reader.output.end(status)
        }
    }
}
