import MarqueeDiff

extension Programme {
    /// A group of readers that sections can be restricted to, defined by the claims of their identity.
    ///
    /// Membership can't always be decided: a claim may be missing, or may have a value that can't be compared. Such a
    /// reader is neither in the audience nor outside of it.
    package struct Audience: Hashable, Sendable {
        package var name: String
        /// The conditions, all of which have to hold.
        var conditions: [AudienceCondition]

        /// - Returns: `nil` if that can't be decided.
        func includes(_ claims: Claims, user: String?) -> Bool? {
            if claims.audiences.contains(name) { return true }
            var isKnown = true
            for condition in conditions {
                switch condition.holds(for: claims, user: user) {
                case false?: return false
                case nil: isKnown = false
                case true?: break
                }
            }
            return isKnown ? true : nil
        }
    }

    enum AudienceCondition: Hashable, Sendable {
        case claim(String, ClaimTest)
        case bucket(Bucket)

        /// - Returns: `nil` if that can't be decided.
        func holds(for claims: Claims, user: String?) -> Bool? {
            switch self {
            case .claim(let name, let test): test.holds(for: claims[name])
            case .bucket(let bucket): user.map { bucket.contains(user: $0) }
            }
        }
    }

    enum ClaimTest: Hashable, Sendable {
        case oneOf([String])
        case range(NumberRange)
        case exists(Bool)

        /// - Parameter claim: `nil` for a reader without it.
        /// - Returns: `nil` if that can't be decided.
        func holds(for claim: Claims.Value?) -> Bool? {
            switch (self, claim) {
            case (.exists(let exists), nil): !exists
            case (_, nil), (_, .malformed?): nil
            case (.exists(let exists), _): exists
            case (.oneOf(let values), .text(let text)?): values.contains(text)
            case (.oneOf(let values), .texts(let texts)?): texts.contains { values.contains($0) }
            case (.range(let range), .text(let text)?): DottedNumber(text).map { range.contains($0) }
            case (.range, .texts?): nil
            }
        }
    }

    /// A range of dotted numbers, such as versions: from one of them up to another, which is not included.
    struct NumberRange: Hashable, Sendable {
        var from: DottedNumber?
        var below: DottedNumber?

        func contains(_ number: DottedNumber) -> Bool {
            if let from, number < from { return false }
            if let below { return number < below }
            return true
        }
    }

    /// A share of all users: with the same salt it consists of the same users, on every server.
    ///
    /// A user's number is the XXH64 with seed 0 of the salt's UTF-8, a zero byte and the name's UTF-8, as a fraction of
    /// 2^64. A growing share therefore keeps its users, and another salt selects other ones.
    struct Bucket: Hashable, Sendable {
        var salt: String
        /// The lower bound, included.
        var from: Fraction
        /// The upper bound, not included.
        var below: Fraction

        func contains(user: String) -> Bool {
            let hash = XXH64.hash(Array(salt.utf8) + [0] + Array(user.utf8))
            return !from.isAbove(hash) && below.isAbove(hash)
        }
    }

    /// A fraction from 0 to 1, exact.
    struct Fraction: Hashable, Sendable {
        var numerator: UInt64
        /// Never 0.
        var denominator: UInt64

        /// Whether it is above a number divided by 2^64.
        func isAbove(_ number: UInt64) -> Bool { number.multipliedFullWidth(by: denominator).high < numerator }

        func isBelow(_ other: Fraction) -> Bool {
            let (a, b) = (
                numerator.multipliedFullWidth(by: other.denominator),
                other.numerator.multipliedFullWidth(by: denominator)
            )
            return (a.high, a.low) < (b.high, b.low)
        }
    }

    /// The readers who may see a section.
    package struct Readership: Hashable, Sendable {
        /// At least one.
        package var audiences: [Audience]
        /// Whether the section is for readers who are in none of the audiences, instead of those in any of them.
        package var excludes: Bool

        /// Readers for whom that can't be decided aren't admitted.
        func admits(_ claims: Claims, user: String?) -> Bool {
            excludes
                ? audiences.allSatisfy { $0.includes(claims, user: user) == false }
                : audiences.contains { $0.includes(claims, user: user) == true }
        }
    }
}

/// A whole number, or several with dots between them, such as `5.2.10`. Missing ones at the end count as 0.
struct DottedNumber: Hashable, Comparable, Sendable {
    /// Limits on the count of numbers, and on the digits of each.
    static let maximumParts = 8
    static let maximumDigits = 9

    /// The numbers, without zeros at the end.
    private let parts: [UInt32]

    /// - Returns: `nil` for any other text.
    init?(_ text: String) {
        let texts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard texts.count <= Self.maximumParts else { return nil }
        var parts: [UInt32] = []
        for text in texts {
            guard (1...Self.maximumDigits).contains(text.utf8.count),
                text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let part = UInt32(text)
            else { return nil }
            parts.append(part)
        }
        while parts.last == 0 { parts.removeLast() }
        self.parts = parts
    }

    static func < (first: DottedNumber, second: DottedNumber) -> Bool {
        first.parts.lexicographicallyPrecedes(second.parts)
    }
}

extension Programme.Screen {
    /// Whether readers may see different sections or content, depending on the claims of their identity.
    var differsByAudience: Bool { !renditions.isEmpty || sections.contains { $0.readership != nil } || titles != nil }

    /// The sections that a reader may see, in order.
    func sections(for claims: Claims, user: String?) -> [Programme.Section] {
        sections.filter { $0.readership?.admits(claims, user: user) ?? true }
    }
}
