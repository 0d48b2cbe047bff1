#if canImport(SwiftUI)
    public import MarqueeClient
    public import SwiftUI

    private struct MarqueeClientKey: EnvironmentKey {
        static let defaultValue: MarqueeClient? = nil
    }

    extension EnvironmentValues {
        /// The client that an app's views use; `nil` until a view above sets it.
        ///
        /// ```swift
        /// WindowGroup { HomeView() }.environment(\.marqueeClient, client)
        /// ```
        public var marqueeClient: MarqueeClient? {
            get { self[MarqueeClientKey.self] }
            set { self[MarqueeClientKey.self] = newValue }
        }
    }
#endif
