import ArgumentParser

/// `HOST:PORT`; a numeric IPv6 address goes in brackets.
struct ServerAddress: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    static let defaultPort = 7420
    static let standard = ServerAddress(host: "127.0.0.1", port: defaultPort)

    var host: String
    var port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init?(argument: String) {
        let host: Substring
        let port: Substring?
        if argument.hasPrefix("[") {
            guard let end = argument.firstIndex(of: "]") else { return nil }
            host = argument[argument.index(after: argument.startIndex)..<end]
            let rest = argument[argument.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else {
            let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
            // With more colons, it is an address without its brackets.
            guard parts.count <= 2 else { return nil }
            host = parts[0]
            port = parts.count == 2 ? parts[1] : nil
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "/") })
        else { return nil }
        let number = port.map { Int($0) ?? 0 } ?? ServerAddress.defaultPort
        guard (1...65_535).contains(number) else { return nil }
        self.init(host: String(host), port: number)
    }

    /// - Throws: `ValidationError`, which says how an address is written.
    init(named text: String) throws {
        guard let address = ServerAddress(argument: text) else {
            guard let scheme = text.firstRange(of: "://") else { throw ValidationError("write it as HOST:PORT") }
            let rest = text[scheme.upperBound...].prefix { $0 != "/" }
            throw ValidationError("write '\(rest)' without '\(text[..<scheme.upperBound])'")
        }
        self = address
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    var defaultValueDescription: String { description }
}
