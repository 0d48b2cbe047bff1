#if canImport(SwiftUI)
    public import MarqueeClient
    public import SwiftUI

    private struct MarqueeClientKey: EnvironmentKey {
        static let defaultValue: MarqueeClient? = nil
    }

    extension EnvironmentValues {
        /// The client that an app's views use; `nil` until a view above sets it, see `View.marquee(_:)`.
        public var marqueeClient: MarqueeClient? {
            get { self[MarqueeClientKey.self] }
            set { self[MarqueeClientKey.self] = newValue }
        }
    }

    extension View {
        /// Gives a client to this view and those in it: `LiveScreen` reads screens with it.
        public func marquee(_ client: MarqueeClient) -> some View { environment(\.marqueeClient, client) }
    }
#endif
