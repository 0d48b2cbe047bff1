#if canImport(SwiftUI)
    import MarqueeClient
    public import MarqueeScreenModels
    public import SwiftUI

    @available(iOS 17, tvOS 17, watchOS 10, *)
    extension View {
        /// Follows a screen as long as the view is shown. Stars in the view set favorites on it, and an alert gives the
        /// reason when one can't be set.
        ///
        /// - Parameters:
        ///   - model: the screen.
        ///   - animation: the animation of insertions, removals and moves. Content that changes in place, and the first
        ///     state, are shown without one. `nil` never animates.
        public func showing<Content: Sendable>(
            _ model: ScreenModel<Content>, animation: Animation? = .default
        ) -> some View {
            modifier(ShownScreen(model: model, animation: animation))
        }

        /// Reports an item as seen while this view is on the screen, if the server asks for it. In lists, a row counts
        /// as fully in view while it exists; where the visible share matters, call `ScreenModel.saw` with it.
        public func seen<Content: Sendable>(
            _ item: ItemModel<Content>.ID, by model: ScreenModel<Content>
        ) -> some View {
            onAppear { model.saw(item, share: 1) }.onDisappear { model.saw(item, share: 0) }
        }
    }

    @available(iOS 17, tvOS 17, watchOS 10, *)
    private struct ShownScreen<Item: Sendable>: ViewModifier {
        @Bindable var model: ScreenModel<Item>
        let animation: Animation?

        func body(content: Content) -> some View {
            content
                .environment(\.favoriteAction, { [model] subject in await model.toggleFavorite(subject) })
                .alert(isPresented: $model.hasActionError, error: model.actionError) {
                    Button("OK") { model.dismissError() }
                }
                .task(id: ObjectIdentifier(model)) {
                    model.perform = { update, show in
                        if update.animatesDifferences { withAnimation(animation, show) } else { show() }
                    }
                    await model.run()
                }
        }
    }

    private struct FavoriteActionKey: EnvironmentKey {
        static let defaultValue: (@MainActor @Sendable (Subject) async -> Void)? = nil
    }

    extension EnvironmentValues {
        /// Sets or unsets a favorite on the screen of an enclosing view; `nil` outside of any.
        var favoriteAction: (@MainActor @Sendable (Subject) async -> Void)? {
            get { self[FavoriteActionKey.self] }
            set { self[FavoriteActionKey.self] = newValue }
        }
    }
#endif
