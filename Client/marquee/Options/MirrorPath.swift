import MarqueeClient

/// Where the mirror of a server and user is kept by default.
enum MirrorPath {
    /// File systems allow 255 bytes; the rest is for the suffixes that SQLite appends.
    static let maximumNameLength = 200

    /// `$XDG_STATE_HOME/marquee/<host>_<port>/<user, or ->.sqlite`; the state home is `~/.local/state` when unset or
    /// not absolute.
    /// - Throws: `Failure` when there is no home, or the name of the user is too long for a file.
    static func standard(server: ServerAddress, user: String?, environment: [String: String]) throws -> String {
        let state: String
        if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") {
            state = home
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            state = "\(home)/.local/state"
        } else {
            throw Failure(.usage, "there is no home folder for the mirror; name a file with --mirror")
        }
        let folder = "\(fileName(server.host.lowercased()))_\(server.port)"
        let file = user.map { $0 == "-" ? "%2D" : fileName($0) } ?? "-"
        guard max(folder.utf8.count, file.utf8.count) <= maximumNameLength else {
            throw Failure(.usage, "the server's or user's name is too long for a file; name a file with --mirror")
        }
        return "\(state)/marquee/\(folder)/\(file).sqlite"
    }

    /// The name, with everything that could lead to another folder written as `%` and two digits.
    private static func fileName(_ name: String) -> String {
        var result = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: ".") where !result.isEmpty:
                result.append(".")
            default:
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}
