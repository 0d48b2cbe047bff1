import MarqueeClient

/// A client on the mirror that was asked for, or on one in memory while another process owns the default one.
struct OpenClient {
    var client: MarqueeClient
    /// Why the mirror is not the one on disk; `nil` when it is.
    var fallback: String?
    /// The mirror's path; `nil` when it is in memory.
    var path: String?

    /// - Parameter mayFallBack: whether a mirror in memory will do also when the one in use was asked for by name.
    /// - Throws: `Failure`, naming the process that owns the mirror.
    init(_ connection: Connection, mirror: MirrorOptions, mayFallBack: Bool) throws {
        let (path, isExplicit) = try mirror.resolved(for: connection)
        do throws(ClientError) {
            client = try MarqueeClient(connection.configuration(mirror: .file(path)))
            self.path = path
        } catch {
            guard error.code == .mirrorInUse else { throw Failure(error) }
            guard mayFallBack || !isExplicit else { throw Failure(.cantCreate, error.message) }
            fallback = error.message
            client = try MarqueeClient(connection.configuration(mirror: .memory))
        }
    }
}
