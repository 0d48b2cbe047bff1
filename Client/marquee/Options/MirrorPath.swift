import MarqueeClient

/// Where the mirror of a server and user is kept by default.
enum MirrorPath {
    /// `$XDG_STATE_HOME/marquee/<host>_<port>/<user, or ->.sqlite`; the state home is `~/.local/state` when unset or
    /// not absolute.
    /// - Throws: `Failure` when there is no home, or the name of the user is too long for a file.
    static func standard(server: ServerAddress, user: String?, environment: [String: String]) throws -> String {
        do {
            let state = try StandardMirror.folder(environment, variable: "XDG_STATE_HOME", inHome: ".local/state")
            return try StandardMirror.path(in: state, host: server.host, port: server.port, user: user)
        } catch {
            throw Failure(.usage, "\(error); name a file with --mirror")
        }
    }
}
