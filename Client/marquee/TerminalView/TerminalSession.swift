import Foundation
@_spi(Admin) import MarqueeClient
import MarqueeModel
import UnixSignals

/// The shell around a `Browser`: a terminal, a client, a clock. One task takes every event in turn, and no other
/// touches the terminal.
struct TerminalSession {
    /// Why it ended.
    enum Ending: Sendable {
        case quit
        case signal(ProgramExit)
    }

    /// Something for the one task that draws.
    private enum Event: Sendable {
        case browser(Browser.Event)
        case input(InputBurst)
        /// The terminal has gone, so no keys will follow.
        case inputEnded
        case resized
        /// The process was stopped and continues.
        case continued
        case end(Ending)

        /// A screen's newest state replaces an older one, and the next tick replaces the last.
        var isExpendable: Bool {
            switch self {
            case .browser(.update), .browser(.tick): true
            default: false
            }
        }
    }

    /// The pause between redraws while something glows.
    private static let framePause = Duration.milliseconds(250)
    /// The pause between redraws that show how old a stored screen is.
    private static let idlePause = Duration.seconds(1)
    /// Maximum events that wait.
    private static let maximumWaiting = 4_096

    let client: MarqueeClient
    let screen: ScreenID
    let server: ServerAddress
    let user: String?
    let locale: String
    /// A message about how the session began, if there is one.
    let note: String?
    /// Sorts and windows requested on the command line.
    let choices: SectionChoices
    /// Whether to report what is visible as seen.
    let reportsSeen: Bool
    let signals: UnixSignalsSequence

    func run() async throws -> Ending {
        let post = EventQueue<Event>(bound: Self.maximumWaiting) { $0.isExpendable }
        guard let description = TerminalDescription() else {
            throw Failure(.unavailable, "this terminal can't show screens; try --output lines")
        }
        let terminal = try ScreenTerminal(description)
        let input: InputReader
        do {
            input = try InputReader(KeyDecoder(known: description.keys)) { post($0.map { .input($0) } ?? .inputEnded) }
        } catch {
            terminal.close()
            throw error
        }
        let (writes, write) = AsyncStream.makeStream(
            of: Browser.Effect.self, bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
        return await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            // One after the other, so two quick changes keep their order.
            group.addTask { for await effect in writes { await perform(effect, post) } }
            group.addTask { await watchSignals(post) }
            group.addTask { for await event in client.events { post(.browser(.client(event))) } }
            group.addTask { await watchPendingFavorites(post) }
            return await loop(post, write, terminal, input, &group)
        }
    }

    private func watchSignals(_ post: EventQueue<Event>) async {
        for await signal in signals {
            switch signal {
            case .sigwinch: post(.resized)
            case .sigcont: post(.continued)
            case .sigint: post(.end(.signal(.interrupted)))
            default: post(.end(.signal(.terminated)))
            }
        }
    }

    /// A favorite may be confirmed while no open screen shows it; then no screen reports it.
    private func watchPendingFavorites(_ post: EventQueue<Event>) async {
        var last: Int?
        do throws(ClientError) {
            var outbox = client.outbox.makeAsyncIterator()
            while try await outbox.next() != nil {
                // The first page is never left.
                guard let count = try await client.status(of: screen)?.pendingFavorites, count != last else { continue }
                last = count
                post(.browser(.pendingFavorites(count)))
            }
        } catch {
            // Without a user there are none. Any other reason is among the client's events.
        }
    }

    private func loop(
        _ post: EventQueue<Event>,
        _ write: AsyncStream<Browser.Effect>.Continuation, _ terminal: consuming ScreenTerminal,
        _ input: InputReader, _ group: inout TaskGroup<Void>
    ) async -> Ending {
        defer {
            input.stop()
            terminal.close()
        }
        var browser = Browser(
            screen: screen, server: "\(server)", user: user, locale: locale, columns: terminal.size.columns,
            rows: terminal.size.rows, wallClock: { Date().timeIntervalSince1970 })
        if let note { browser.note(event: note, now: 0) }
        var sight = reportsSeen ? TerminalSight(client) : nil
        defer { sight?.end() }
        let artwork = CardArtwork(depth: terminal.depth)
        var hasChecked = false
        var followers: [ScreenID: Task<Void, Never>] = [screen: follow(screen, choices.options, post)]
        defer { followers.values.forEach { $0.cancel() } }
        group.addTask {
            // Ages grow even if nothing happens.
            while (try? await Task.sleep(for: Self.framePause)) != nil { post(.browser(.tick)) }
        }
        let clock = ContinuousClock()
        let start = clock.now
        var lastDrawn = clock.now - Self.idlePause
        for await event in post.events {
            let now = (clock.now - start) / .seconds(1)
            var effects: [Browser.Effect] = []
            switch event {
            case .end(let ending): return ending
            case .inputEnded: return .quit
            case .browser(.tick):
                effects = browser.handle(.tick, now: now)
                // A job that runs on in the background isn't told when the shell brings it back.
                if !TerminalLoan.isTaken { post(.continued) }
                sight?.look(at: browser)
                if !browser.isMoving, clock.now - lastDrawn < Self.idlePause { continue }
            case .browser(let event):
                // Only once: later the person may choose differently.
                if case .update(screen, let update) = event, update.origin == .live, !hasChecked {
                    hasChecked = true
                    group.addTask { if let offer = try? await client.describe() { post(.browser(.offered(offer))) } }
                    for text in choices.unmet(on: update.screen) { browser.say(text, now: now) }
                }
                // It has ended; the screen may be requested again.
                if case .failed(let id, _) = event { followers.removeValue(forKey: id)?.cancel() }
                effects = browser.handle(event, now: now)
            case .input(.text(let text)): effects = browser.handle(.text(text), now: now)
            case .input(.keys(let keys)):
                for key in keys { effects += browser.handle(.key(key), now: now) }
            case .resized, .continued:
                if case .continued = event, (try? terminal.take()) == nil { return .quit }
                terminal.redraw()
                effects = browser.handle(
                    .resized(columns: terminal.size.columns, rows: terminal.size.rows), now: now)
            }
            for effect in effects {
                switch effect {
                case .quit: return .quit
                // For the whole group, as the terminal itself would.
                case .suspend: kill(0, SIGTSTP)
                default: perform(effect, post, write, &followers)
                }
            }
            sight?.look(at: browser)
            let canvas = BrowserPainter(browser: browser, artwork: artwork).canvas()
            if terminal.show(canvas) { lastDrawn = clock.now }
        }
        return .quit
    }

    private func perform(
        _ effect: Browser.Effect, _ post: EventQueue<Event>,
        _ write: AsyncStream<Browser.Effect>.Continuation,
        _ followers: inout [ScreenID: Task<Void, Never>]
    ) {
        let client = client
        switch effect {
        case .quit, .suspend: break
        case .open(let id):
            if followers[id] == nil { followers[id] = follow(id, [], post) }
        case .leave(let id): followers.removeValue(forKey: id)?.cancel()
        case .toggleFavorite, .show: write.yield(effect)
        case .search(let query, let filters, let queryID):
            Task {
                let result: Result<SearchPage, ClientError>
                do throws(ClientError) {
                    result = .success(
                        try await client.searchPage(
                            query, filters: filters.map { ($0.field, $0.value) }, facets: [SearchPage.everyFacet]))
                } catch {
                    result = .failure(error)
                }
                post(.browser(.found(queryID: queryID, result)))
            }
        }
    }

    /// Performs what changes something; called in the order of the requests.
    private func perform(_ effect: Browser.Effect, _ post: EventQueue<Event>) async {
        switch effect {
        case .toggleFavorite(let subject):
            do throws(ClientError) {
                try await client.toggleFavorite(subject)
            } catch {
                post(.browser(.client(.changeRejected(.favorites, subject, error))))
            }
        // Refusals are events too.
        case .show(let options, let id): try? await client.setOptions(options, for: id)
        case .quit, .suspend, .open, .leave, .search: break
        }
    }

    private func follow(
        _ id: ScreenID, _ options: [SectionOptions], _ post: EventQueue<Event>
    ) -> Task<Void, Never> {
        let client = client
        return Task {
            do {
                for try await update in client.screen(id, options: options) {
                    post(.browser(.update(id, update)))
                }
            } catch let error as ClientError {
                post(.browser(.failed(id, error.message)))
            } catch {
                post(.browser(.failed(id, "\(error)")))
            }
        }
    }
}
