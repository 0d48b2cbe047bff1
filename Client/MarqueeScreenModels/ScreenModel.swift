public import Foundation
public import MarqueeClient
public import Observation

/// The state of a screen.
public enum ScreenPhase: Hashable, Sendable {
    /// Nothing has arrived yet, and the mirror has nothing.
    case loading
    /// The mirror's content, or the content shown when the connection was lost; `ScreenModel.asOf` says how old it is.
    case stored
    /// The server's current content.
    case live
    /// The server refuses the screen for good. Content shown before stays.
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
/// The model follows the screen while `run` runs, and keeps its content otherwise. Items are decoded once, when they
/// arrive or change, off the main thread; views never decode. Identities are stable, so that SwiftUI animates the moves
/// sent by the server.
@available(iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class ScreenModel<Content: Sendable> {
    public let id: ScreenID
    /// The state of the screen.
    public private(set) var phase = ScreenPhase.loading
    /// The title of the screen; empty until there is content.
    public private(set) var title = ""
    /// The sections, in the order in which to show them.
    public private(set) var sections: [SectionModel<Content>] = []
    /// How far the content can be relied on; `nil` while there is none.
    public private(set) var status: ScreenStatus?
    /// The changes of the last update.
    package private(set) var changes = ScreenChanges()
    /// Ids of sections whose sort or window was changed here, and that the server doesn't show that way yet.
    public private(set) var changingSections: Set<String> = []
    /// The error of the last action that failed, until `dismissError`. Later refusals by the server are in
    /// `ItemModel.favoriteError` or in `status`.
    public private(set) var actionError: ClientError?

    /// Shows an update by calling its second argument. Views wrap that call in an animation; see
    /// `ScreenUpdate.animatesDifferences`.
    @ObservationIgnored public var perform: @MainActor (ScreenUpdate, () -> Void) -> Void = { _, show in show() }

    /// `nil` in a view without a client.
    @ObservationIgnored let client: MarqueeClient?
    /// The items in view, as reported by views.
    @ObservationIgnored var sight = Sight<Content>()
    @ObservationIgnored private let decode: @Sendable (ScreenItem) -> Content
    /// This reader's own sequence: its windows apply to this model alone.
    @ObservationIgnored private let updates: ScreenUpdates?

    /// - Parameters:
    ///   - id: the screen.
    ///   - client: the client that reads the screen.
    ///   - sorts: the initial order of sections, by their ids, for all readers of the screen.
    ///   - windows: the number of items to show of a section, by its id, in this model.
    ///   - content: decodes an item. Called off the main thread, once for each new content.
    public convenience init(
        _ id: ScreenID, of client: MarqueeClient, sorts: [String: String] = [:], windows: [String: Int] = [:],
        content: @escaping @Sendable (ScreenItem) -> Content
    ) {
        self.init(id, ofClient: client, sorts: sorts, windows: windows, content: content)
    }

    /// - Parameter client: without one, the screen is refused.
    package init(
        _ id: ScreenID, ofClient client: MarqueeClient?, sorts: [String: String], windows: [String: Int],
        content: @escaping @Sendable (ScreenItem) -> Content
    ) {
        self.id = id
        self.client = client
        updates = client?.screen(id, sorts: sorts, windows: windows)
        decode = content
    }

    /// When the content was last known to be current; `nil` if never.
    public var asOf: Date? { status?.asOf }

    /// The section with this id; `nil` if the screen has none.
    public subscript(section id: String) -> SectionModel<Content>? { sections.first { $0.id == id } }

    // MARK: - Showing

    /// Follows the screen until the task is cancelled, the client closed, or the screen refused. Call it from `.task`.
    public func run() async {
        guard let updates else { return phase = .refused(.noClient) }
        // An item is seen only while the screen is followed; the views report again when it is.
        defer {
            saw([:])
            if phase == .live { phase = .stored }
        }
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

    /// Sets a favorite that isn't one, or unsets one that is. The item shows it immediately, as pending until the
    /// server confirms it; if the server refuses, the mark goes back and `ItemModel.favoriteError` says why.
    public func toggleFavorite(_ item: ItemModel<Content>) async {
        if let subject = item.subject { await toggleFavorite(subject) }
    }

    /// The same for a row that knows only its item's subject.
    package func toggleFavorite(_ subject: Subject) async {
        await act { client throws(ClientError) in _ = try await client.toggleFavorite(subject) }
    }

    /// Adds an item's subject to a collection, or gives it another value.
    public func set(
        _ item: ItemModel<Content>, in collection: CollectionName, value: CollectionValue? = nil
    ) async {
        guard let subject = item.subject else { return }
        await act { client throws(ClientError) in try await client.set(subject, in: collection, value: value) }
    }

    /// Removes an item's subject from a collection.
    public func remove(_ item: ItemModel<Content>, from collection: CollectionName) async {
        guard let subject = item.subject else { return }
        await act { client throws(ClientError) in try await client.remove(subject, from: collection) }
    }

    /// Clears `actionError`, once the person has seen it.
    public func dismissError() { actionError = nil }

    /// Whether there is an `actionError`, for binding to an alert.
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

    /// Shows a section in another of its orders, to all readers of the screen. Returns when the server shows the order,
    /// or immediately without a connection.
    /// - Parameters:
    ///   - sort: one of `SectionModel.sorts`; any other sets `actionError`.
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

    /// Shows rows anywhere in a section that allows it, such as those around the row in the middle of the view, to all
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
    /// Creates a model of a screen with items that the protocol itself defines, such as cards.
    public convenience init(
        _ id: ScreenID, of client: MarqueeClient, sorts: [String: String] = [:], windows: [String: Int] = [:]
    ) {
        self.init(id, of: client, sorts: sorts, windows: windows) { $0.content }
    }
}

extension ClientError {
    fileprivate static let noClient = ClientError(.closed, "no view above sets a client: add .marquee(client) to one")
}
