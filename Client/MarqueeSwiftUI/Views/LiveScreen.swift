#if canImport(SwiftUI)
    public import MarqueeClient
    public import MarqueeScreenModels
    public import SwiftUI

    /// A screen as a view's property, read with the client set by `marquee(_:)` on a view above.
    ///
    /// ```swift
    /// struct HomeView: View {
    ///     @LiveScreen(.home) var home
    ///     var body: some View { ScreenList(home) { CardRow($0) } }
    /// }
    /// ```
    ///
    /// The model belongs to the view and lives as long as the view. `ScreenList`, `ScreenGrid` and `showing(_:)` follow
    /// the screen while they are shown. Another client, as after another sign-in, gets another model. Without a client,
    /// the screen is refused.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    @propertyWrapper public struct LiveScreen<Content: Sendable>: DynamicProperty {
        @Environment(\.marqueeClient) private var client
        @State private var kept = KeptModel<Content>()
        private let id: ScreenID
        private let sorts: [String: String]
        private let windows: [String: Int]
        private let content: @Sendable (ScreenItem) -> Content

        /// - Parameters:
        ///   - id: the screen.
        ///   - sorts: the initial order of sections, by their ids, for all readers of the screen.
        ///   - windows: the number of items to show of a section, by its id, in this view.
        ///   - content: decodes an item. Called off the main thread, once for each new content.
        public init(
            _ id: ScreenID, sorts: [String: String] = [:], windows: [String: Int] = [:],
            content: @escaping @Sendable (ScreenItem) -> Content
        ) {
            self.id = id
            self.sorts = sorts
            self.windows = windows
            self.content = content
        }

        /// The screen's model.
        @MainActor public var wrappedValue: ScreenModel<Content> {
            kept.model(of: client) {
                ScreenModel(id, ofClient: client, sorts: sorts, windows: windows, content: content)
            }
        }
    }

    @available(iOS 17, tvOS 17, watchOS 10, *)
    extension LiveScreen where Content == ItemContent {
        /// A screen with items that the protocol itself defines, such as cards.
        public init(_ id: ScreenID, sorts: [String: String] = [:], windows: [String: Int] = [:]) {
            self.init(id, sorts: sorts, windows: windows) { $0.content }
        }
    }

    /// The model of a view, kept as long as the client stays the same.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    @MainActor private final class KeptModel<Content: Sendable> {
        private var kept: (client: MarqueeClient?, model: ScreenModel<Content>)?

        nonisolated init() {}

        func model(of client: MarqueeClient?, _ make: () -> ScreenModel<Content>) -> ScreenModel<Content> {
            if let kept, kept.client === client { return kept.model }
            let model = make()
            kept = (client, model)
            return model
        }
    }
#endif
