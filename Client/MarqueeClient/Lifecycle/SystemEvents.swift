import Foundation

#if canImport(Network)
    import Network
#endif
#if canImport(UIKit) && !os(watchOS)
    import UIKit
#endif

/// Notifies a client of the app's lifecycle and of network changes, on systems that report them. It doesn't keep the
/// client alive.
///
/// `@unchecked Sendable`: nothing is written after the initialiser, and the stored values are used again only in
/// `deinit`.
final class SystemEvents: @unchecked Sendable {
    #if canImport(Network)
        private let paths = NWPathMonitor()
    #endif
    #if canImport(UIKit) && !os(watchOS)
        private var observers: [any NSObjectProtocol] = []
        /// How long the system is asked to wait for a mirror to be closed, which takes milliseconds.
        private static let patience = DispatchTimeInterval.seconds(5)
    #endif

    init(of client: MarqueeClient) {
        #if canImport(Network)
            paths.pathUpdateHandler = { [weak client] path in
                if path.status == .satisfied { client?.networkChanged() }
            }
            paths.start(queue: DispatchQueue(label: "marquee.paths"))
        #endif
        #if canImport(UIKit) && !os(watchOS)
            let center = NotificationCenter.default
            observers = [
                center.addObserver(forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil) {
                    [weak client] _ in
                    if let client { Self.suspend(client) }
                },
                center.addObserver(forName: UIApplication.willEnterForegroundNotification, object: nil, queue: nil) {
                    [weak client] _ in
                    client?.enteredForeground()
                },
            ]
        #endif
    }

    deinit {
        #if canImport(Network)
            paths.cancel()
        #endif
        #if canImport(UIKit) && !os(watchOS)
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
        #endif
    }

    #if canImport(UIKit) && !os(watchOS)
        /// Starts immediately, so that a return to the foreground is handled afterwards, and asks the system to wait
        /// for the end.
        private static func suspend(_ client: MarqueeClient) {
            let done = DispatchSemaphore(value: 0)
            client.enteredBackground { done.signal() }
            ProcessInfo.processInfo.performExpiringActivity(withReason: "closing Marquee's mirror") { hasExpired in
                // The system calls again, on another thread, when it will wait no longer: then the first call has to
                // return.
                if hasExpired { done.signal() } else { _ = done.wait(timeout: .now() + patience) }
            }
        }
    #endif
}
