import Foundation
import MarqueeClient
import MarqueeSwiftUI
import MarqueeTLS

/// The code of MarqueeClient's articles and of Docs/users-data.md, so that it compiles; nothing calls it.
@MainActor private final class DocumentedArticles {
    struct Session: Sendable {
        func freshToken() async throws -> String { "" }
    }
    struct FilmRow {
        @discardableResult init(title: String, subtitle: String?, image: ImageReference?) {}
    }
    struct OtherRow {
        @discardableResult init(_ item: ScreenItem) {}
    }
    struct Banner {
        var isHidden = false
        var text = ""
    }
    struct Badge {
        func show(_ count: Int, since: Date?, because: String?) {}
    }
    /// The methods of a collection view.
    struct ListView {
        func performBatchUpdates(_ updates: () -> Void) { updates() }
        func deleteSections(_ sections: IndexSet) {}
        func insertSections(_ sections: IndexSet) {}
        func moveSection(_ section: Int, toSection: Int) {}
        func deleteItems(at places: [IndexPath]) {}
        func insertItems(at places: [IndexPath]) {}
        func moveItem(at origin: IndexPath, to place: IndexPath) {}
        func reconfigureItems(at places: [IndexPath]) {}
    }

    let session = Session()
    var banner = Banner()
    let badge = Badge()
    let view = ListView()
    var sections: [ScreenSection] = []
    var shown: Screen?

    func show(_ update: ScreenUpdate) {}
    func show(_ id: ScreenID) {}
    func open(_ url: URL) {}
    func show(_ title: String, _ items: [ScreenItem], of total: Int, more: Bool) {}
    func show(_ items: [ScreenItem], of total: Int, more: Bool) {}
    func show(_ members: [CollectionMember], leaving: [Subject], rejected: [RejectedChange]) {}
    func highlight(_ items: [ScreenItem]) {}
    func tell(_ text: String) {}
    func alert(_ text: String) {}
    func showOffline(_ text: String, again pause: Duration?) {}
    func hideOffline(as user: String?) {}
    func showSignIn() {}
    func dismiss() {}
    func close() {}
    func clear() {}
    func wait(for query: String) {}
    func offer(_ value: String, _ count: Int) {}
    func reloadData(_ sections: [ScreenSection]) {}

    func overview() async throws {
        let session = session
        let client = MarqueeClient("films.example", user: "mina") { try await session.freshToken() }

        for try await update in client.screen(.home) {
            show(update)
        }
    }

    func readingScreens(item: ScreenItem, shown: Screen) async throws -> (Screen, String?) {
        let session = session
        let client = MarqueeClient("films.example", user: "mina") { try await session.freshToken() }

        for try await update in client.screen(.home) {
            // A hidden section has neither.
            for section in update.screen.sections where section.title != nil || !section.items.isEmpty {
                show(section.title ?? section.id, section.items, of: section.total, more: section.hasMore)
                if let error = section.error { tell(error) }
            }
            if let top = update.screen[section: "top"] { highlight(top.items) }
        }

        let home = client.screen(.home, windows: ["new": 20])
        let order = shown[section: "new"]?.sort
        try await home.showMore(of: "new")
        try await home.setWindow(40, of: "new")
        try await client.setSort("date", of: "new", on: .home)
        let other = try await client.fetchScreen(.home, sorts: ["new": "title"], windows: ["new": 50])

        try await home.setWindow(of: "all", around: item.id, before: 50, after: 50)
        try await home.setWindow(of: "all", from: "M", after: 100)
        try await home.setWindow(of: "all", after: 100)
        return (other, order)
    }

    func offline(_ client: MarqueeClient) async throws {
        for try await update in client.screen(.home) {
            banner.isHidden = update.status.isLive
            if !update.status.isLive { banner.text = "As of \(update.screen.asOf.formatted())" }
            show(update)
        }
    }

    func errors(_ client: MarqueeClient, id: String) async throws {
        do {
            for try await update in client.screen(ScreenID("detail/\(id)")) { show(update) }
        } catch {
            guard error.code == .notFound else { throw error }
            dismiss()
        }

        for await event in client.events {
            switch event {
            case .state(.waiting(let error, let pause)): showOffline(error.localizedDescription, again: pause)
            case .state(.connected(let server)): hideOffline(as: server.user)
            case .state(.failed(let error)): showOffline(error.localizedDescription, again: nil)
            case .state: break
            case .tokenRefused: showSignIn()
            case .optionsRefused(let screen, let error): tell("\(screen): \(error.message)")
            case .changeRejected(_, let subject, let error): tell("\(subject): \(error.localizedDescription)")
            case .changesHeldUp(let pending, let error): tell("\(pending) changes wait: \(error.message)")
            default: break
            }
        }
    }

    func collections(_ client: MarqueeClient, minutes: Int) async throws -> ([String], Double) {
        try await client.setFavorite(true, for: "episode/e1")

        let progress = client.collection("progress")
        let change = try await progress.set("episode/e1", value: 12)
        try await progress.set("episode/e1", value: CollectionValue(minutes))
        try await client.collection("later").add("episode/e1")
        try await client.collection("later").remove("episode/e1")
        for try await state in progress.states {
            show(state.members, leaving: state.pendingRemovals, rejected: state.rejected)
        }
        let now = try await progress.state()
        let heard = now["episode/e1"]?.value?.number ?? 0
        let reasons = now.rejected.map { "\($0.subject): \($0.error.localizedDescription)" }

        switch try await client.result(of: change, within: .seconds(5)) {
        case .confirmed: close()
        case .rejected(let error): alert(error.localizedDescription)
        case .replaced: break
        }

        for try await outbox in client.outbox {
            badge.show(outbox.pending, since: outbox.pendingSince, because: outbox.lastError?.message)
            if outbox.pending == 0 { break }
        }
        return (reasons, heard)
    }

    func filtered(_ client: MarqueeClient) async throws {
        let found = try await client.search("bread", filters: ["topics": "food"], facets: ["topics"])
        for (value, count) in found.facets["topics"] ?? [] { offer(value, count) }
    }

    func liveSearching(_ client: MarqueeClient, text: String) async {
        let search = client.liveSearch()
        search.search(text)
        search.showMore()
        for await state in search.states {
            switch state {
            case .idle: clear()
            case .searching(let query): wait(for: query)
            case .found(let results): show(results.items, of: results.total, more: results.hasMore)
            case .failed(_, let error): tell(error.localizedDescription)
            }
        }
    }

    func card(_ card: CardContent) -> ([String], [String], [String], [String?]) {
        let texts = [card.overline, card.title, card.subtitle, card.caption, card.text].compactMap(\.self)
        let badges = card.badges.map { $0.role == .bad ? "\($0.text)!" : $0.text }
        let facts = card.facts.map { "\($0.label): \($0.value)" } + card.actions.map(\.title)
        let figures = [
            card.rating.map { "\($0.value) of \($0.scale)" }, card.price.map { "\($0.amount) \($0.currency ?? "")" },
            card.rank?.place.map { "\($0)." }, card.progress.map { "\($0.value) of \($0.total ?? 0) \($0.unit ?? "")" },
        ]
        return (texts, badges, facts, figures)
    }

    func ownTypes(item: ScreenItem) -> Substring? {
        switch item.content {
        case .card(let card): FilmRow(title: card.title, subtitle: card.subtitle, image: card.image)
        case .encoded: OtherRow(item)
        }
        if case .card(let card) = item.content, let link = card.actions.first(where: { $0.id == "open" }) {
            if let url = URL(string: link.target), url.scheme != nil {
                open(url)
            } else if !link.target.isEmpty {
                show(ScreenID(link.target))
            }
        }
        let id = item.subject?.name.split(separator: "/").last
        return id
    }

    func security(pinnedKeys: String) async throws -> [MarqueeClient] {
        var options = TLSOptions()
        options.publicKeys = Set(try ServerPublicKey.keys(pem: pinnedKeys))
        let client = MarqueeClient(ClientConfiguration(host: "films.example", security: .tls(options)))
        var configuration = ClientConfiguration(host: "films.example")
        let session = session
        configuration.token = { try await session.freshToken() }
        return [client, MarqueeClient(configuration)]
    }

    func uiKit(_ update: ScreenUpdate) -> [ScreenItem] {
        let change = update.listUpdate(from: shown)
        if change.reloads { reloadData(change.sections) }
        for step in change.steps {
            view.performBatchUpdates {
                sections = step.sections
                view.deleteSections(step.deletedSections)
                view.insertSections(step.insertedSections)
                for (origin, place) in step.movedSections { view.moveSection(origin, toSection: place) }
                view.deleteItems(at: step.deletedItems)
                view.insertItems(at: step.insertedItems)
                for (origin, place) in step.movedItems { view.moveItem(at: origin, to: place) }
            }
        }
        sections = change.sections
        view.reconfigureItems(at: change.changedItems)
        let rows = change.changedItems.map { sections[$0[0]].items[$0[1]] }
        return rows
    }

    func widgets(sharedPath: String) async throws -> Screen {
        var configuration = ClientConfiguration(host: "films.example", user: "mina", mirror: .file(sharedPath))
        configuration.mirrorAccess = .companion
        let client = try await MarqueeClient.open(configuration)
        let home = try await client.fetchScreen(.home, source: .mirror)
        try await client.setFavorite(true, for: "episode/crumb-01")
        return home
    }

    func usersData(_ model: ScreenModel<Film>, first: ItemModel<Film>, second: ItemModel<Film>) {
        model.saw([first.id: 1, second.id: 0.4])
        model.saw(first.id, share: 0.8)
        model.tapped(first.id)
        model.performed("play", of: first.id)
    }
}
