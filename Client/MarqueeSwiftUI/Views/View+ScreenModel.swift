#if canImport(SwiftUI)
    import MarqueeClient
    public import SwiftUI

    @available(iOS 17, tvOS 17, watchOS 10, *)
    extension View {
        /// Follows a screen as long as the view is shown.
        ///
        /// - Parameters:
        ///   - model: the screen.
        ///   - animation: for what was inserted, removed or moved. Content that changes in place, and the first state,
        ///     are shown without one. `nil` never animates.
        public func showing<Content: Sendable>(
            _ model: ScreenModel<Content>, animation: Animation? = .default
        ) -> some View {
            task {
                model.perform = { update, show in
                    if update.animatesDifferences { withAnimation(animation, show) } else { show() }
                }
                await model.run()
            }
        }
    }
#endif
