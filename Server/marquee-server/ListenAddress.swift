import ArgumentParser
import MarqueeTLS

/// An address to listen on: `127.0.0.1:7420`, `[::1]:7420`, `localhost:7420`. Port 0 means any free port.
struct ListenAddress: Hashable, CustomStringConvertible {
    static let standard = ListenAddress(host: "127.0.0.1", port: 7_420)

    var host: String
    var port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// - Throws: `ValidationError`, which says what is expected.
    init(parsing text: String) throws {
        guard let colon = text.lastIndex(of: ":") else {
            throw ValidationError("HOST:PORT is expected, such as \(ListenAddress.standard)")
        }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else {
            throw ValidationError("a port is a number from 0 to \(UInt16.max)")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw ValidationError("an IPv6 address is written in brackets, such as [::1]:\(port)")
        }
        guard !host.isEmpty else {
            throw ValidationError("the host is missing; 0.0.0.0 stands for every address of this machine")
        }
        self.init(host: host, port: Int(port))
    }

    /// Whether only this machine can reach the address.
    var isLoopback: Bool { Loopback.contains(host) }

    /// A host by which this machine reaches the listener: the wildcard address includes loopback.
    var reachableHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
