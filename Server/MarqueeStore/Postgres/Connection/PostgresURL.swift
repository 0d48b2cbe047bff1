import CPostgreSQL
import Foundation

/// The address of a PostgreSQL database, and how to log in: everything in a libpq URL.
///
/// Its description names the server and the database and never a password.
package struct PostgresURL: Hashable, Sendable, CustomStringConvertible {
    /// The whole URL, including the password if it has one.
    package let text: String
    /// `nil` where it comes from the environment or a password file.
    private let password: String?
    /// Whether the URL itself has a password.
    package var hasPassword: Bool { password != nil }
    /// The names of the database and of the user who connects; `nil` where the URL doesn't have them.
    package let database: String?
    package let user: String?
    package let description: String
    /// The hosts that it names, if there are several.
    let hosts: [Host]

    /// One of the hosts that a URL names.
    struct Host: Hashable, Sendable, CustomStringConvertible {
        /// A name, an address, or the folder of a socket.
        var name: String
        var port: String

        var description: String { name.hasPrefix("/") ? name : "\(name):\(port)" }
    }

    /// The prefixes by which a URL names a PostgreSQL database.
    private static let schemes = ["postgres://", "postgresql://"]

    /// Whether a text looks like one of these URLs rather than a folder's path.
    package static func isPostgresURL(_ text: String) -> Bool { schemes.contains { text.hasPrefix($0) } }

    /// - Parameter text: such as `postgres://marquee@db.example/marquee?sslmode=verify-full`.
    /// - Throws: `invalid` for a text that libpq can't read.
    package init(_ text: String) throws(StoreError) {
        guard Self.isPostgresURL(text), let options = PQconninfoParse(text, nil) else { throw .unreadableURL }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        // With a slash in a password that isn't percent-encoded, the rest of the password would be read as a port and a
        // database, and messages would show it.
        guard values["dbname"]?.contains("@") != true,
            values["port"]?.unicodeScalars.allSatisfy({ ("0"..."9").contains($0) || $0 == "," }) != false
        else { throw .unreadableURL }
        self.text = text
        password = values["password"]
        (database, user) = (values["dbname"], values["user"])
        hosts = values["hostaddr"] == nil ? Self.hosts(values["host"] ?? "", ports: values["port"] ?? "") : []
        let place = Self.place(of: values["host"] ?? values["hostaddr"] ?? "", ports: values["port"] ?? "")
        description = "the PostgreSQL database '\(values["dbname"] ?? "")'" + (place.isEmpty ? "" : " at \(place)")
    }

    /// The port that libpq uses for a host without one.
    private static var defaultPort: String { ProcessInfo.processInfo.environment["PGPORT"] ?? "5432" }

    private static func hosts(_ names: String, ports: String) -> [Host] {
        let names = names.split(separator: ",", omittingEmptySubsequences: false)
        let ports = ports.split(separator: ",", omittingEmptySubsequences: false)
        guard names.count > 1 else { return [] }
        return names.enumerated().map { index, name in
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return Host(name: String(name), port: port.isEmpty ? defaultPort : String(port))
        }
    }

    /// Each of the hosts with its port, as people write them.
    /// - Parameters:
    ///   - hosts: separated by commas.
    ///   - ports: one for each host, or one for all; empty where libpq has a default.
    private static func place(of hosts: String, ports: String) -> String {
        let ports = ports.split(separator: ",", omittingEmptySubsequences: false)
        let places = hosts.split(separator: ",", omittingEmptySubsequences: false).enumerated().map { index, host in
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return [host, port].filter { !$0.isEmpty }.joined(separator: ":")
        }
        return places.joined(separator: ", ")
    }

    /// A message of libpq without the password, in one line.
    package func redacted(_ message: String) -> String {
        var message = message
        if let password, !password.isEmpty { message = message.replacing(password, with: "…") }
        return message.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces }.joined(separator: " ")
    }
}

extension StoreError {
    /// Without libpq's own message, which could quote a password.
    fileprivate static let unreadableURL = StoreError(
        .invalid,
        "the URL of the database can't be read; it has the form postgres://USER:PASSWORD@HOST:PORT/DATABASE, where "
            + "special characters of a password are percent-encoded")
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { start[...$0] } ?? ""
    }
}
