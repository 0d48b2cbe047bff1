public import Foundation
public import MarqueeClient
public import Observation

/// How far a screen has come.
public enum ScreenPhase: Hashable, Sendable {
    /// Nothing has arrived yet, and the mirror has nothing.
    case loading
    /// The content that the mirror had, or that was shown when the connection was lost; `ScreenModel.asOf` says how old
    /// it is.
    case stored
    /// The content that the server has now.
    case live
    /// The server refuses the screen for good. What was shown before stays.
    case refused(ClientError)
}

/// A screen for views to show, and to act on.
///
/// ```swift
/// @State private var model = ScreenModel(.home, of: client) { Movie($0) }
///
/// var body: some View {
///     List(model.sections) { section in … }
///         .task { await model.run() }
/// }
/// ```
///
/// The model follows the screen while `run` runs, and keeps what it has in between. Items are decoded once, when they
/// arrive or change, away from the main thread; views never decode. Identities stay, so that SwiftUI animates the moves
/// that the server sent.
@available(iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class ScreenModel<Content: Sendable> {
    public let id: ScreenID
    /// How far the screen has come.
    public private(set) var phase = ScreenPhase.loading
    /// The title of the screen; empty until there is a value.
    public private(set) var title = ""
    /// In the order in which to show them.
    public private(set) var sections: [SectionModel<Content>] = []
    /// How far what is shown can be relied on; `nil` while there is nothing.
    public private(set) var status: ScreenStatus?
    /// The changes of the last update.
    package private(set) var changes = ScreenChanges()
    /// Ids of sections whose sort or window was changed here, and that the server hasn't shown so yet.
    public private(set) var changingSections: Set<String> = []
    /// Why the last action failed, until `dismissError`. What the server refuses later is in `ItemModel.favoriteError`
    /// or in `status`.
    public private(set) var actionError: ClientError?

    /// Carries out what shows an update; the second argument does it. Views put an animation around it, see
    /// `ScreenUpdate.animatesDifferences`.
    @ObservationIgnored public var perform: @MainActor (ScreenUpdate, () -> Void) -> Void = { _, show in show() }

    /// `nil` in a view that no client was given to.
    @ObservationIgnored let client: MarqueeClient?
    /// The items in view, as views tell.
    @ObservationIgnored var sight = Sight<Content>()
    @ObservationIgnored private let decode: @Sendable (ScreenItem) -> Content
    /// This reader's own sequence: its windows are those of this model alone.
    @ObservationIgnored private let updates: ScreenUpdates?

    /// - Parameters:
    ///   - id: the screen.
    ///   - client: gives its values.
    ///   - sorts: the initial order of sections, by their ids, for all readers of the screen.
    ///   - windows: how many items of a section to show, by its id, in this model.
    ///   - content: decodes an item. Called off the main thread, once for each new content.
    public convenience init(
        _ id: ScreenID, of client: MarqueeClient, sorts: [String: String] = [:], windows: [String: Int] = [:],
        content: @escaping @Sendable (ScreenItem) -> Content
    ) {
        self.init(id, ofClient: client, sorts: sorts, windows: windows, content: content)
    }

    /// - Parameter client: `nil` for a screen that is refused.
    package init(
        _ id: ScreenID, ofClient client: MarqueeClient?, sorts: [String: String], windows: [String: Int],
        content: @escaping @Sendable (ScreenItem) -> Content
    ) {
        self.id = id
        self.client = client
        updates = client?.screen(id, sorts: sorts, windows: windows)
        decode = content
    }

    /// When what is shown was last known to be current; `nil` for never.
    public var asOf: Date? { status?.asOf }

    /// The section with this id; `nil` if the screen has none.
    public subscript(section id: String) -> SectionModel<Content>? { sections.first { $0.id == id } }

    // MARK: - Showing

    /// Follows the screen until the task is cancelled, the client closed, or the screen refused. Call it from `.task`.
    public func run() async {
        guard let updates else { return phase = .refused(.noClient) }
        // Nothing is seen that isn't followed; the views tell again what is.
        defer { saw([:]) }
        if case .refused = phase { phase = sections.isEmpty ? .loading : .stored }
        do throws(ClientError) {
            var iterator = updates.makeAsyncIterator()
            while let update = try await iterator.next() {
                let sections = await Self.decoded(update, reusing: sections, decode)
                perform(update) { show(update, sections) }
            }
        } catch {
            phase = .refused(error)
        }
    }

    private func show(_ update: ScreenUpdate, _ sections: [SectionModel<Content>]) {
        title = update.screen.title
        self.sections = sections
        status = update.status
        changes = update.changes
        phase = update.isLive ? .live : .stored
        look()
    }

    /// The sections of an update; items that haven't changed are not decoded again.
    private nonisolated static func decoded(
        _ update: ScreenUpdate, reusing old: [SectionModel<Content>], _ decode: @Sendable (ScreenItem) -> Content
    ) async -> [SectionModel<Content>] {
        let known = Dictionary(old.map { ($0.id, $0.items) }) { first, _ in first }
        return update.screen.sections.map { section in
            let decoded = Dictionary((known[section.id] ?? []).map { ($0.source.id, $0) }) { first, _ in first }
            return SectionModel(
                id: section.id, head: section.head,
                items: section.items.map { item in
                    let same = decoded[item.id].flatMap { $0.source.hasSameContent(as: item) ? $0.content : nil }
                    return ItemModel(item, in: section.id, content: same ?? decode(item))
                }, placeholders: section.placeholders)
        }
    }

    // MARK: - Favorites and other collections

    /// Sets a favorite that isn't one, or unsets one that is. The item shows it at once, as pending until the server
    /// confirms it; if the server refuses, the mark goes back and `ItemModel.favoriteError` says why.
    public func toggleFavorite(_ item: ItemModel<Content>) async {
        if let subject = item.subject { await toggleFavorite(subject) }
    }

    /// The same, for a row that knows its item alone.
    package func toggleFavorite(_ subject: Subject) async {
        await act { client throws(ClientError) in _ = try await client.toggleFavorite(subject) }
    }

    /// Puts an item's subject into a collection, or gives it another value.
    public func set(
        _ item: ItemModel<Content>, in collection: CollectionName, value: CollectionValue? = nil
    ) async {
        guard let subject = item.subject else { return }
        await act { client throws(ClientError) in try await client.set(subject, in: collection, value: value) }
    }

    /// Takes an item's subject out of a collection.
    public func remove(_ item: ItemModel<Content>, from collection: CollectionName) async {
        guard let subject = item.subject else { return }
        await act { client throws(ClientError) in try await client.remove(subject, from: collection) }
    }

    /// The person has seen `actionError`.
    public func dismissError() { actionError = nil }

    /// Whether there is an `actionError`, for an alert that is bound to it.
    package var hasActionError: Bool {
        get { actionError != nil }
        set { if !newValue { dismissError() } }
    }

    private func act(_ action: (MarqueeClient) async throws(ClientError) -> Void) async {
        do throws(ClientError) {
            guard let client else { throw .noClient }
            try await action(client)
            actionError = nil
        } catch {
            actionError = error
        }
    }

    // MARK: - Options

    /// Shows a section in another of its orders, to all readers of the screen. Returns when the server shows it so;
    /// without a connection at once.
    /// - Parameters:
    ///   - sort: one of `SectionModel.sorts`; for any other, `actionError` says so.
    ///   - section: the id of the section.
    public func setSort(_ sort: String, of section: String) async {
        await change(section) { updates throws(ClientError) in
            try await updates.setOptions([SectionOptions(section: section, sort: sort)])
        }
    }

    /// Shows the next page of a section, if there is one: the next larger step of its window.
    public func showMore(of section: String) async {
        await change(section) { updates throws(ClientError) in try await updates.showMore(of: section) }
    }

    /// Shows rows anywhere in a section that allows it, such as those around the one in the middle of the view, to all
    /// readers; see `ScreenUpdates.setWindow(of:around:from:before:after:)`.
    public func setWindow(
        of section: String, around item: String? = nil, from value: String? = nil, before: Int = 0, after: Int
    ) async {
        await change(section) { updates throws(ClientError) in
            try await updates.setWindow(of: section, around: item, from: value, before: before, after: after)
        }
    }

    /// Shows the smallest window of a section.
    public func showLess(of section: String) async {
        guard let head = self[section: section]?.head, let first = head.windows.first, first < head.window
        else { return }
        await change(section) { updates throws(ClientError) in
            try await updates.setOptions([SectionOptions(section: section, window: Int(first))])
        }
    }

    private func change(_ section: String, _ ask: (ScreenUpdates) async throws(ClientError) -> Void) async {
        changingSections.insert(section)
        defer { changingSections.remove(section) }
        await act { _ throws(ClientError) in if let updates { try await ask(updates) } }
    }
}

@available(iOS 17, tvOS 17, watchOS 10, *)
extension ScreenModel where Content == ItemContent {
    /// A model of a screen whose items the protocol itself defines, such as cards.
    public convenience init(
        _ id: ScreenID, of client: MarqueeClient, sorts: [String: String] = [:], windows: [String: Int] = [:]
    ) {
        self.init(id, of: client, sorts: sorts, windows: windows) { $0.content }
    }
}

extension ClientError {
    fileprivate static let noClient = ClientError(.closed, "no view above gives a client: add .marquee(client) to one")
}
