#if canImport(SwiftUI)
    public import MarqueeClient
    public import SwiftUI

    private struct MarqueeClientKey: EnvironmentKey {
        static let defaultValue: MarqueeClient? = nil
    }

    extension EnvironmentValues {
        /// The client that an app's views use; `nil` unless a view above sets it with `View.marquee(_:)`.
        public var marqueeClient: MarqueeClient? {
            get { self[MarqueeClientKey.self] }
            set { self[MarqueeClientKey.self] = newValue }
        }
    }

    extension View {
        /// Sets the client for this view and those in it: `LiveScreen` reads screens with it.
        public func marquee(_ client: MarqueeClient) -> some View { environment(\.marqueeClient, client) }
    }
#endif
