import MarqueeClient
import MarqueeModel

/// The favorites of a user: as the server has them when it answers in time, else as they are stored.
struct FavoriteList: Sendable {
    /// A stored screen is there at once, but by another thread than the news of a broken connection.
    private static let grace = Duration.milliseconds(100)

    /// Pauses between attempts to connect after which no more are waited for. One may be how a client and a server that
    /// was restored come to terms.
    private static let hopelessPauses = 2

    /// The screen of favorites, if any is known.
    private var screen: Screen?
    private(set) var isLive = false
    /// Names and marks, in case there is no screen to show them on.
    private var marks: [(subject: Subject, mark: FavoriteMark)] = []
    private var error: ClientError?
    private var unreachable: String?

    private enum Piece: Sendable {
        case screen(ScreenUpdate?, ClientError?)
        case unreachable(String)
        case timeIsOver
    }

    static func read(_ client: MarqueeClient, timeout: Seconds) async -> FavoriteList {
        let list = await once(client, timeout: timeout)
        // Favorites that waited in the mirror are being sent now; wait for their answers, so the list is final.
        let waiting = (try? await client.favoriteStatus().pending) ?? 0
        guard list.isLive, waiting > 0 || list.items.contains(where: \.favorite.isPending),
            await client.favoritesConfirmed(within: timeout.duration)
        else { return list }
        return await once(client, timeout: timeout)
    }

    private static func once(_ client: MarqueeClient, timeout: Seconds) async -> FavoriteList {
        var list = await withTaskGroup(of: Piece.self) { group in
            group.addTask {
                var last: ScreenUpdate?
                do {
                    for try await update in client.screen(.favorites) {
                        last = update
                        if update.origin == .live { break }
                    }
                    return .screen(last, nil)
                } catch {
                    return .screen(last, error as? ClientError)
                }
            }
            group.addTask {
                var pauses = 0
                for await case .state(.waiting(let reason, _)) in client.events {
                    pauses += 1
                    guard pauses == hopelessPauses else { continue }
                    try? await Task.sleep(for: grace)
                    return .unreachable(reason)
                }
                return .timeIsOver
            }
            group.addTask {
                try? await Task.sleep(for: timeout.duration)
                return .timeIsOver
            }
            var list = FavoriteList()
            // The first to be done ends the others; what they know by then counts.
            for await piece in group {
                group.cancelAll()
                switch piece {
                case .screen(let update, let error):
                    list.screen = update?.screen
                    list.isLive = update?.origin == .live
                    list.error = error
                case .unreachable(let reason): list.unreachable = reason
                case .timeIsOver: break
                }
            }
            return list
        }
        list.marks = await client.favorites()
        return list
    }

    /// - Throws: `Failure` when there is nothing to show.
    func check(server: ServerAddress, mirror: String?) throws {
        if let error { throw Failure(error, mirror: mirror) }
        guard screen == nil, marks.isEmpty else { return }
        let why = unreachable ?? "no answer in time"
        throw Failure(.unavailable, "can't reach \(server): \(why); and nothing is stored")
    }

    private var items: [ScreenItem] { screen?.sections.flatMap(\.items) ?? [] }

    /// All favorites, each with the name that the commands take.
    func lines(columns: Int) -> [String] {
        guard screen != nil else {
            return marks.map { Sanitizer.line("\(ItemText.sign(of: $0.mark)) \($0.subject)") }
        }
        guard !items.isEmpty else { return ["no favorites"] }
        var table = RowTable(items)
        for (index, item) in items.enumerated() {
            table.rows[index].sign = item.favorite.isPending ? "♡" : "♥"
            let name = Sanitizer.line(item.subject?.name ?? "")
            table.rows[index].text.cells.insert(ItemText.Cell(text: name), at: 0)
        }
        return table.lines(within: columns)
    }

    var document: JSONValue {
        let bare = marks.map { subject, mark in
            JSONValue.object(["subject": .string(subject.name), "favorite": .string(ContentJSON.mark(mark))])
        }
        return .object([
            "type": .string("favorites"), "origin": .string(isLive ? "live" : "store"),
            "items": .array(screen == nil ? bare : items.map(ContentJSON.item)),
        ])
    }
}
