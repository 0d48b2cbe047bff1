import Dispatch
import Foundation

/// The service manager that started this process and wants to know its state: systemd, or another one that understands
/// the datagrams of sd_notify(3).
struct ServiceManager: Sendable {
    enum News: Sendable {
        /// - Parameter status: one line for people.
        case ready(status: String)
        case reloading
        case reloaded
        /// - Parameter delay: seconds until clients are asked to leave.
        case stopping(delay: Int)
        case alive

        /// Seconds for clients to leave and for the rest of the shutdown.
        private static let leaving = 60

        /// The state in the notation of sd_notify(3).
        var text: String {
            switch self {
            case .ready(let status): "READY=1\nSTATUS=\(status)"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(DispatchTime.now().uptimeNanoseconds / 1_000)"
            case .reloaded: "READY=1"
            case .stopping(let delay):
                "STOPPING=1\nSTATUS=Asking clients to leave"
                    + (delay > 0 ? "\nEXTEND_TIMEOUT_USEC=\((delay + Self.leaving) * 1_000_000)" : "")
            case .alive: "WATCHDOG=1"
            }
        }
    }

    /// The longest path that `AF_UNIX` has room for, in bytes, without the terminating zero.
    private static let longestAddress = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
    /// Seconds to wait while the manager's queue of datagrams is full.
    private static let patience = 5

    /// The socket's address: a path, or 0 and an abstract name.
    private let address: [UInt8]
    /// How often the manager wants to hear that the server is alive; `nil` if it doesn't.
    let watchdogInterval: Duration?

    /// - Returns: `nil` if there is no manager to tell, or its address is neither a path nor an abstract name.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        var address = Array((environment["NOTIFY_SOCKET"] ?? "").utf8)
        guard 2...ServiceManager.longestAddress ~= address.count else { return nil }
        switch address[0] {
        case UInt8(ascii: "/"): break
        case UInt8(ascii: "@"): address[0] = 0
        default: return nil
        }
        self.address = address
        watchdogInterval = ServiceManager.watchdogInterval(environment)
    }

    /// Half of the time after which the manager considers the server dead, as sd_watchdog_enabled(3) advises.
    private static func watchdogInterval(_ environment: [String: String]) -> Duration? {
        guard let limit = environment["WATCHDOG_USEC"].flatMap({ Int64($0) }), limit > 0 else { return nil }
        // The variable may be meant for the process that started this one.
        if let process = environment["WATCHDOG_PID"], process != String(getpid()) { return nil }
        return .microseconds(limit) / 2
    }

    /// Tells the manager. A failure is only reported on standard error: it doesn't end a server that works.
    func tell(_ news: News) {
        guard let problem = send(news.text) else { return }
        Console.complain("the service manager can't be notified: \(String(cString: strerror(problem)))")
    }

    /// Tells the manager that the server is alive whenever `pulse` has returned, until that throws or the task ends.
    func keepTold(_ pulse: () async throws -> Void) async {
        guard let watchdogInterval else { return }
        do {
            while true {
                try await pulse()
                tell(.alive)
                try await Task.sleep(for: watchdogInterval)
            }
        } catch {
            // The server shuts down.
        }
    }

    /// - Returns: `errno` if it failed.
    private func send(_ text: String) -> CInt? {
        #if canImport(Glibc)
            let kind = CInt(SOCK_DGRAM.rawValue)
        #else
            let kind = SOCK_DGRAM
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        var patience = timeval()
        patience.tv_sec = ServiceManager.patience
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))

        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: address) }
        // An abstract name ends with the address, not with a zero.
        let length = MemoryLayout.offset(of: \sockaddr_un.sun_path).map { socklen_t($0 + address.count) } ?? 0
        let bytes = Array(text.utf8)
        let sent = withUnsafePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                sendto(descriptor, bytes, bytes.count, 0, place, length)
            }
        }
        return sent == bytes.count ? nil : errno
    }
}
