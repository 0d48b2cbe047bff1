package import Foundation
package import MarqueeTLS
import Synchronization

/// The lists of revoked certificates that a server enforces, from a file that can be read again. Thread safe.
///
/// A certificate is refused if its authority has no list, or only one that has expired: it may have been revoked.
package final class RevocationLists: RevokedCertificates {
    /// Limits on the file's size in bytes, and on the number of lists in it.
    package static let maximumBytes = 64 << 20
    package static let maximumLists = 64

    package let path: String
    /// The file with the certificates of the authorities, which must have signed the lists.
    package let authorities: String
    /// The lists, by the authority's name.
    private let lists: Mutex<[[UInt8]: RevocationList]>
    private let reading = Mutex(())
    private let now: @Sendable () -> Date

    /// Reads the files.
    /// - Parameters:
    ///   - path: a file of lists in PEM, or of one list in DER.
    ///   - now: the time of day.
    /// - Throws: `RevocationProblem`, which names the file.
    package init(
        _ path: String, authorities: String, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(RevocationProblem) {
        self.path = path
        self.authorities = authorities
        self.now = now
        lists = Mutex(try Self.read(path, authorities, now: now()))
    }

    /// Reads the files again.
    /// - Returns: how many certificates are revoked.
    /// - Throws: `RevocationProblem`; nothing changes then.
    package func reload() throws(RevocationProblem) -> Int {
        // One read at a time, so that an older one never replaces a newer one.
        try reading.withLock { _ throws(RevocationProblem) in
            let fresh = try Self.read(path, authorities, now: now())
            lists.withLock { $0 = fresh }
            return fresh.values.reduce(0) { $0 + $1.serials.count }
        }
    }

    /// When the first of the lists expires.
    package var ends: Date? { lists.withLock { $0.values.compactMap(\.ends).min() } }

    package func refusal(of certificate: CertificateID) -> String? {
        lists.withLock { lists in
            guard let list = lists[certificate.issuer] else {
                return "may be revoked: there is no list of its authority in \(path)"
            }
            if let ends = list.ends, ends <= now() {
                return "may be revoked: the list of its authority in \(path) ended at \(ends.ISO8601Format())"
            }
            return list.serials.contains(certificate.serial) ? "is revoked" : nil
        }
    }

    package func contains(_ certificate: CertificateID) -> Bool {
        lists.withLock { $0[certificate.issuer]?.serials.contains(certificate.serial) ?? false }
    }

    private static func read(
        _ path: String, _ authorities: String, now: Date
    ) throws(RevocationProblem) -> [[UInt8]: RevocationList] {
        let certificates: [[UInt8]]
        do throws(TLSProblem) {
            certificates = try PEMFile.certificates(authorities).compactMap { try? $0.toDERBytes() }
        } catch { throw RevocationProblem(error.description) }
        let content: [UInt8]
        do throws(BoundedFile.Problem) { content = try BoundedFile.read(path, limit: maximumBytes) } catch {
            throw RevocationProblem("\(path) can't be read: \(error)")
        }
        guard (1...maximumBytes).contains(content.count) else {
            throw RevocationProblem("\(path) is empty, or has more than \(maximumBytes >> 20) MiB")
        }
        var lists: [[UInt8]: RevocationList] = [:]
        do throws(RevocationProblem) {
            for list in try RevocationList.read(Data(content)) {
                guard certificates.contains(where: { list.isSigned(by: $0) }) else {
                    throw RevocationProblem(
                        "a list is not signed by an authority in \(authorities); that file needs each authority's own "
                            + "certificate")
                }
                if let ends = list.ends, ends <= now {
                    throw RevocationProblem("a list ended at \(ends.ISO8601Format()): get the next one")
                }
                if lists[list.issuer] == nil { lists[list.issuer] = list } else { lists[list.issuer]?.add(list) }
            }
        } catch { throw RevocationProblem("\(path): \(error.description)") }
        return lists
    }
}
