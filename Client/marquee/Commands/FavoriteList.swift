import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON

/// A user's favorites: the server's if it answers in time, otherwise the stored ones.
struct FavoriteList: Sendable {
    private let newest: NewestScreen
    /// Whether `newest` is the screen of favorites; if the server has no such screen, it is the set of collections.
    private let isShown: Bool
    /// Names and marks, in case there is no screen to show them on.
    private let marks: [(subject: Subject, mark: FavoriteMark)]

    /// The screen of favorites, if any is known.
    private var screen: Screen? { isShown ? newest.screen : nil }
    var isLive: Bool { newest.isLive }

    static func read(_ client: MarqueeClient, timeout: Seconds) async throws -> FavoriteList {
        let list = try await once(client, timeout: timeout)
        // Favorites waiting in the mirror are being sent now; wait for their answers, so the list is final.
        let waiting = (try? await client.outboxStatus().pending) ?? 0
        guard list.isLive, waiting > 0 || list.items.contains(where: \.favorite.isPending),
            await client.hasConfirmed(within: timeout)
        else { return list }
        return try await once(client, timeout: timeout)
    }

    private static func once(_ client: MarqueeClient, timeout: Seconds) async throws -> FavoriteList {
        var newest = await NewestScreen(.favorites, of: client, timeout: timeout)
        let isShown = !newest.isUnknown
        if !isShown { newest = await NewestScreen(.collectionSet, of: client, timeout: timeout) }
        return FavoriteList(newest: newest, isShown: isShown, marks: try await client.favorites())
    }

    /// The reason for showing what is stored; `nil` if it is the server's.
    func note(server: ServerAddress) -> String? { newest.note(server: server) }

    /// - Throws: `Failure` when there is nothing to show.
    func check(server: ServerAddress, mirror: String?) throws {
        try newest.check(server: server, mirror: mirror, hasOther: !marks.isEmpty)
    }

    private var items: [ScreenItem] { screen?.sections.flatMap(\.items) ?? [] }

    /// Favorites that the screen doesn't show, because the server has no such record or shows only the first ones.
    private var others: [(subject: Subject, mark: FavoriteMark)] {
        let shown = Set(items.map { $0.subject?.name })
        return marks.filter { $0.mark.isFavorite && !shown.contains($0.subject.name) }
    }

    /// All favorites, each with the name that commands take.
    func lines(columns: Int) -> [String] {
        guard screen != nil else {
            if marks.isEmpty { return ["no favorites"] }
            return marks.map { Sanitizer.line("\(ItemText.sign(of: $0.mark)) \($0.subject)") }
        }
        let isCut = screen?.sections.contains { $0.total > $0.items.count } == true
        let why = isCut ? "" : "  (kept; the server has no such record)"
        let others = others.map { Sanitizer.line("\(ItemText.sign(of: $0.mark)) \($0.subject)\(why)") }
        guard !items.isEmpty else { return others.isEmpty ? ["no favorites"] : others }
        var table = RowTable(items)
        for (index, item) in items.enumerated() {
            table.rows[index].sign = item.favorite.isPending ? "♡" : "♥"
            let name = Sanitizer.line(item.subject?.name ?? "")
            table.rows[index].text.cells.insert(ItemText.Cell(text: name), at: 0)
        }
        return table.lines(within: columns) + others
    }

    var document: JSONValue {
        let bare = (screen == nil ? marks : others).map { subject, mark in
            JSONValue.object(["subject": .string(subject.name), "favorite": .string(ContentJSON.mark(mark))])
        }
        return .object([
            "type": .string("favorites"), "origin": .string(isLive ? "live" : "store"),
            "items": .array(items.map { ContentJSON.item($0) } + bare),
        ])
    }
}
