import Foundation
import MarqueeModel

/// A file of operators' tokens, each with a name and a role.
///
/// ```
/// # name      role     token, or its hash
/// prometheus  metrics  sha256:5f8b…
/// ana         admin    TmV2ZXIgdXNlIHRoaXMgb25l
/// ```
///
/// It is used as a whole or not at all. A message gives the line of a mistake and never repeats its text, which may be
/// a token.
package enum AdminTokenFile {
    /// Limits on the bytes of a file, on the number of tokens in it, and on the bytes of a token's name.
    package static let maximumBytes = 256 << 10
    static let maximumTokens = 1_000
    static let maximumNameBytes = 64

    package struct Mistake: Error, Hashable, CustomStringConvertible {
        /// The line, counted from 1; `nil` if the mistake isn't about a line.
        package var line: Int?
        package var reason: String

        package var description: String { (line.map { "line \($0): " } ?? "") + reason }
    }

    package static func tokens(_ text: String) throws(Mistake) -> [AdminToken] {
        var tokens: [AdminToken] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            do throws(Reason) {
                let token = try token(words)
                try check(token, against: tokens)
                tokens.append(token)
            } catch {
                throw Mistake(line: index + 1, reason: error.text)
            }
        }
        guard !tokens.isEmpty else {
            throw Mistake(reason: "there is no token in it: a line is a name, a role and a token")
        }
        return tokens
    }

    private struct Reason: Error {
        var text: String
    }

    private static func token(_ words: [Substring]) throws(Reason) -> AdminToken {
        guard words.count == 3 else { throw Reason(text: "a line is a name, a role and a token") }
        let (name, word) = (String(words[0]), String(words[1]))
        guard name.utf8.count <= maximumNameBytes else {
            throw Reason(text: "a name has at most \(maximumNameBytes) bytes")
        }
        guard let role = AdminRole(rawValue: word) else {
            let names = AdminRole.allCases.map(\.rawValue)
            let hint = NearestName.hint(for: word, among: names)
            throw Reason(text: "the second word is a role: \(AdminRole.names)\(hint)")
        }
        guard let token = AdminToken(orHash: String(words[2]), name: name, role: role) else {
            throw Reason(
                text: "a token is \(AdminToken.lengths.lowerBound) to \(AdminToken.lengths.upperBound) visible "
                    + "characters of ASCII, or sha256: and its hash in 64 hexadecimal digits")
        }
        return token
    }

    private static func check(_ token: AdminToken, against others: [AdminToken]) throws(Reason) {
        guard others.count < maximumTokens else { throw Reason(text: "at most \(maximumTokens) tokens are possible") }
        for other in others {
            if other.caller.name == token.caller.name { throw Reason(text: "an earlier line has the same name") }
            if other.isSame(as: token) { throw Reason(text: "an earlier line has the same token") }
        }
    }
}
