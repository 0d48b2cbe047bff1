import Foundation

/// A file that holds one secret, such as a token, on its first line, to keep it out of lists of processes and out of
/// shell histories.
package enum SecretFile {
    /// The most bytes that are read: far more than any token has.
    private static let maximumBytes = 64 << 10

    /// The first line, without white space around it.
    /// - Throws: `SecretFileProblem` when the file can't be read or its first line is empty.
    package static func read(_ path: String) throws(SecretFileProblem) -> String {
        if let obstacle = PrivateFile.obstacle(path) {
            throw SecretFileProblem(description: "\(path) can't be read: \(obstacle)")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw SecretFileProblem(description: "\(path) can't be read")
        }
        defer { try? handle.close() }
        let bytes: Data?
        do { bytes = try handle.read(upToCount: maximumBytes) } catch {
            throw SecretFileProblem(description: "\(path) can't be read: \(error.localizedDescription)")
        }
        let lines = String(decoding: bytes ?? Data(), as: UTF8.self).split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let secret = lines.first?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !secret.isEmpty else { throw SecretFileProblem(description: "the first line of \(path) is empty") }
        return secret
    }
}

package struct SecretFileProblem: Error, Hashable, CustomStringConvertible {
    package var description: String
}
