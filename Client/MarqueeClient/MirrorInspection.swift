import MarqueeMirror
import MarqueeModel

/// Reads a mirror's file without owning it, even while a client uses it.
package enum MirrorInspection {
    /// Returns a summary of a mirror's contents.
    /// - Parameter path: the path of the SQLite file.
    package static func status(at path: String) throws(ClientError) -> MirrorStatus {
        do throws(MirrorError) {
            let mirror = try Mirror(readOnlyAt: path)
            defer { mirror.close() }
            return try MirrorStatus(mirror)
        } catch {
            throw ClientError(mirror: error)
        }
    }

    /// Recomputes every sum from the stored bytes.
    /// - Returns: the damaged sections; empty if there are none.
    package static func verify(at path: String) throws(ClientError) -> [MirrorDamage] {
        do throws(MirrorError) {
            let mirror = try Mirror(readOnlyAt: path)
            defer { mirror.close() }
            return try mirror.verify().map {
                MirrorDamage(screen: ScreenID($0.screen), locale: $0.locale, section: $0.section, detail: $0.detail)
            }
        } catch {
            throw ClientError(mirror: error)
        }
    }
}
