import Foundation
package import MarqueeMirror

extension ClientConfiguration {
    /// The mirror's location.
    /// - Throws: `io` when the system has no folder for it; `limit` when the host's or user's name is too long for a
    ///   file.
    func mirrorLocation() throws(MirrorError) -> MirrorLocation {
        switch mirror {
        case .memory: .memory
        case .file(let path): .file(path)
        case .standard: .file(try StandardMirror.path(in: StandardMirror.folder(), host: host, port: port, user: user))
        }
    }
}

/// The location of a mirror for which the app names no file.
package enum StandardMirror {
    /// File systems allow 255 bytes; the rest is left for SQLite's suffixes.
    package static let maximumNameLength = 200

    /// The system's folder for application data.
    static func folder() throws(MirrorError) -> String {
        #if canImport(Darwin)
            #if os(tvOS)
                let place = FileManager.SearchPathDirectory.cachesDirectory
            #else
                let place = FileManager.SearchPathDirectory.applicationSupportDirectory
            #endif
            guard let folder = FileManager.default.urls(for: place, in: .userDomainMask).first?.path else {
                throw MirrorError(.io, "the system has no folder for the mirror; name a file in the configuration")
            }
            return folder
        #else
            return try folder(ProcessInfo.processInfo.environment, variable: "XDG_DATA_HOME", inHome: ".local/share")
        #endif
    }

    /// A folder of the XDG Base Directory Specification: the variable's value if it is an absolute path, otherwise a
    /// folder in the home folder.
    package static func folder(
        _ environment: [String: String], variable: String, inHome place: String
    ) throws(MirrorError) -> String {
        if let folder = environment[variable], folder.hasPrefix("/") { return folder }
        if let home = environment["HOME"], home.hasPrefix("/") { return "\(home)/\(place)" }
        throw MirrorError(.io, "there is no home folder for the mirror: neither \(variable) nor HOME is set")
    }

    /// `<folder>/marquee/<host>_<port>/<user, or ->.sqlite`.
    package static func path(
        in folder: String, host: String, port: Int, user: String?
    ) throws(MirrorError) -> String {
        let server = "\(fileName(host.lowercased()))_\(port)"
        let file = user.map { $0 == "-" ? "%2D" : fileName($0) } ?? "-"
        guard max(server.utf8.count, file.utf8.count) <= maximumNameLength else {
            throw MirrorError(.limit, "the server's or user's name is too long for a mirror's file")
        }
        return "\(folder)/marquee/\(server)/\(file).sqlite"
    }

    /// The name, with every byte that could lead to another folder written as `%` and two hexadecimal digits.
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
