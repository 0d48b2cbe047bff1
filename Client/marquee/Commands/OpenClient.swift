import Foundation
import MarqueeClient

/// A client on the requested mirror, or on one in memory if another process owns the default one or there is nowhere
/// to keep one.
struct OpenClient {
    var client: MarqueeClient
    /// Why the mirror is not the one on disk; `nil` when it is.
    var fallback: String?
    /// The mirror's path; `nil` when it is in memory.
    var path: String?
    /// Whether another process owns the mirror, or will.
    let isCompanion: Bool

    /// - Parameters:
    ///   - mayFallBack: whether to fall back to memory even if the mirror in use was requested by name.
    ///   - needsDisk: whether something has to be kept. If not, memory is enough for a user whose home folder is
    ///     missing or can't be written to.
    /// - Throws: `Failure`, naming the process that owns the mirror.
    init(_ connection: Connection, mirror: SharedMirrorOptions, mayFallBack: Bool, needsDisk: Bool = true) async throws
    {
        isCompanion = mirror.companion
        let (path, isExplicit): (String, Bool)
        do {
            (path, isExplicit) = try mirror.file.resolved(for: connection)
        } catch let failure as Failure where !needsDisk {
            fallback = failure.message
            client = MarqueeClient(connection.configuration(mirror: .memory))
            return
        }
        do throws(ClientError) {
            var configuration = connection.configuration(mirror: .file(path))
            configuration.mirrorAccess = mirror.companion ? .companion : .owner
            client = try await MarqueeClient.open(configuration)
            self.path = path
        } catch {
            // A companion has no use for a mirror in memory.
            guard !mirror.companion else { throw Failure(error) }
            switch error.code {
            case .mirrorInUse:
                guard mayFallBack || !isExplicit else { throw Failure(.cantCreate, error.message) }
            case .mirrorUnusable where !needsDisk && !isExplicit && !FileManager.default.fileExists(atPath: path):
                break
            default:
                throw Failure(error)
            }
            fallback = error.message
            client = MarqueeClient(connection.configuration(mirror: .memory))
        }
    }
}
