import Foundation

/// A file that holds one secret, such as a token, on its first line, to keep it out of lists of processes and out of
/// shell histories.
package enum SecretFile {
    /// The most bytes that are read: far more than any token has.
    private static let maximumBytes = 64 << 10

    /// The first line, without white space around it.
    /// - Throws: `SecretFileProblem` when the file can't be read or its first line is empty.
    package static func read(_ path: String) throws(SecretFileProblem) -> String {
        let bytes: [UInt8]
        do throws(BoundedFile.Problem) { bytes = try BoundedFile.read(path, limit: maximumBytes) } catch {
            throw SecretFileProblem(description: "\(path) can't be read: \(error)")
        }
        return try secret(in: String(decoding: bytes, as: UTF8.self), of: path)
    }

    /// The first line of a text, without white space around it. A variable that was filled from a file may end with
    /// that file's line break.
    /// - Parameter name: the text's origin.
    /// - Throws: `SecretFileProblem` when the line is empty.
    package static func secret(in text: String, of name: String) throws(SecretFileProblem) -> String {
        let lines = text.split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let secret = lines.first?.trimmingCharacters(in: .whitespaces) ?? ""
        guard !secret.isEmpty else { throw SecretFileProblem(description: "the first line of \(name) is empty") }
        return secret
    }
}

package struct SecretFileProblem: Error, Hashable, CustomStringConvertible {
    package var description: String
}
