import MarqueeModel
import MarqueeTypes
import Yams

/// Reads audiences, defined by the claims of readers' identities, and the sections that are restricted to them.
extension ProgrammeReader {
    /// An audience, and its node in the file.
    struct ReadAudience {
        var audience: Programme.Audience
        var node: Node
        var isUsed = false
    }

    /// The key of the condition that is not about a claim.
    private static let bucket = "bucket"

    /// Reads `audiences: {premium: {plan: [plus, family]}}`.
    mutating func readAudiences(_ node: Node) {
        guard let entries = entries(node, "'audiences'", atMost: ProgrammeLimits.audiences) else { return }
        for (key, value) in entries {
            guard let name = identifier(key, "the name of an audience") else { continue }
            // One with mistakes keeps its name, so that sections for it aren't reported as well.
            let audience = Programme.Audience(name: name, conditions: conditions(value, of: name) ?? [])
            audiences[name] = ReadAudience(audience: audience, node: key)
        }
    }

    private mutating func conditions(_ node: Node, of name: String) -> [Programme.AudienceCondition]? {
        let what = "the audience '\(name)'"
        guard let entries = entries(node, what, atMost: ProgrammeLimits.conditions) else { return nil }
        guard !entries.isEmpty else {
            report(node, "\(what) needs a condition, such as plan: plus; a section for everybody has no audience")
            return nil
        }
        return entries.compactMap { key, value in
            guard let claim = text(key, "the name of a claim", atMost: Claims.maximumNameBytes) else { return nil }
            if claim == Self.bucket { return bucket(value).map { .bucket($0) } }
            return test(value, of: claim).map { .claim(claim, $0) }
        }
    }

    // MARK: - Claims

    /// Reads a value, a list of values, `{from, below}` or `{exists}`.
    private mutating func test(_ node: Node, of claim: String) -> Programme.ClaimTest? {
        let what = "the claim '\(claim)'"
        switch node {
        case .scalar: return value(node, what).map { .oneOf([$0]) }
        case .sequence:
            guard let values = list(node, what, atMost: ProgrammeLimits.values) else { return nil }
            if values.isEmpty { report(node, "\(what) lists no values, so nobody is in the audience") }
            return .oneOf(values.compactMap { value($0, what) })
        case .mapping(let mapping) where mapping["exists"] != nil:
            guard let fields = fields(node, what, allowed: ["exists"]), let exists = fields["exists"] else {
                return nil
            }
            return flag(exists, "word for a claim").map { .exists($0) }
        default: return range(node, what).map { .range($0) }
        }
    }

    private mutating func value(_ node: Node, _ what: String) -> String? {
        guard node.null == nil else {
            report(node, "\(what) has no value; {exists: false} stands for readers without it")
            return nil
        }
        return text(node, "a value of \(what)", atMost: Claims.maximumValueBytes)
    }

    private mutating func range(_ node: Node, _ what: String) -> Programme.NumberRange? {
        guard let fields = fields(node, what, allowed: ["from", "below", "exists"]) else { return nil }
        let (from, below) = (fields["from"].flatMap { number($0, what) }, fields["below"].flatMap { number($0, what) })
        if node.mapping?.isEmpty == true { report(node, "\(what) needs 'from', 'below' or both") }
        if let from, let below, from >= below { report(node, "\(what) needs a 'from' that is less than 'below'") }
        return Programme.NumberRange(from: from, below: below)
    }

    private mutating func number(_ node: Node, _ what: String) -> DottedNumber? {
        guard let text = value(node, what) else { return nil }
        if let number = DottedNumber(text) { return number }
        report(
            node,
            "a bound of \(what) is a number or several with dots between, such as 18 or 5.2.1, not '\(text.prefix(64))'"
        )
        return nil
    }

    // MARK: - Buckets

    /// Reads `{salt: rank-test, from: 0, below: 1/3}`.
    private mutating func bucket(_ node: Node) -> Programme.Bucket? {
        guard let fields = fields(node, "a bucket", allowed: ["salt", "from", "below"]) else { return nil }
        let salt = required("salt", in: fields).flatMap { text($0, "the salt of a bucket") }
        if fields["from"] == nil, fields["below"] == nil {
            report(node, "a bucket needs 'from', 'below' or both: the share of users that it holds")
        }
        let none = Programme.Fraction(numerator: 0, denominator: 1)
        let all = Programme.Fraction(numerator: 1, denominator: 1)
        guard let from = fields["from"].map({ fraction($0) }) ?? none,
            let below = fields["below"].map({ fraction($0) }) ?? all, let salt
        else { return nil }
        guard from.isBelow(below) else {
            report(node, "the bucket begins where it ends or later: 'from' has to be less than 'below'")
            return nil
        }
        return Programme.Bucket(salt: salt, from: from, below: below)
    }

    /// Reads a share of all users: `0.25` or `1/3`.
    private mutating func fraction(_ node: Node) -> Programme.Fraction? {
        let text = node.scalar?.string ?? ""
        if let fraction = Programme.Fraction(text) { return fraction }
        report(
            node,
            "a bound of a bucket is from 0 to 1, as 0.25 or 1/3 with at most "
                + "\(Programme.Fraction.maximumDigits) digits, not '\(text.prefix(64))'")
        return nil
    }

    // MARK: - Sections

    /// Reads the name of an audience, a list of names of which any may match, or `{not: …}`.
    mutating func readership(_ node: Node) -> Programme.Readership? {
        guard case .mapping = node else {
            return named(node).map { Programme.Readership(audiences: $0, excludes: false) }
        }
        guard let fields = fields(node, "'audience'", allowed: ["not"]), let node = required("not", in: fields) else {
            return nil
        }
        return named(node).map { Programme.Readership(audiences: $0, excludes: true) }
    }

    private mutating func named(_ node: Node) -> [Programme.Audience]? {
        guard case .sequence = node else { return audience(node).map { [$0] } }
        guard let names = list(node, "'audience'", atMost: ProgrammeLimits.values) else { return nil }
        guard !names.isEmpty else {
            report(node, "'audience' names nobody; leave it out for everybody")
            return nil
        }
        let found = names.compactMap { audience($0) }
        return found.count == names.count ? found : nil
    }

    private mutating func audience(_ node: Node) -> Programme.Audience? {
        guard let name = identifier(node, "the name of an audience") else { return nil }
        guard let known = audiences[name] else {
            if audiences.isEmpty {
                report(node, "the programme has no 'audiences', so there is no '\(name.prefix(64))'")
            } else {
                reportUnknown(node, "audience", of: "the programme", audiences.keys.sorted())
            }
            return nil
        }
        audiences[name]?.isUsed = true
        return known.audience
    }

    mutating func warnOfUnusedAudiences() {
        for (name, known) in audiences where !known.isUsed {
            warn(known.node, "nothing is for the audience '\(name)'; name it in 'audience' of a section, or remove it")
        }
    }
}

extension Programme.Fraction {
    /// The most digits of a numerator or denominator, and after a point.
    static let maximumDigits = 9

    /// Reads `0.25`, `1` or `1/3`.
    /// - Returns: `nil` for anything else, or more than 1.
    init?(_ text: String) {
        let isQuotient = text.utf8.contains(UInt8(ascii: "/"))
        let parts = text.split(separator: isQuotient ? "/" : ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, isQuotient || parts[0].utf8.count <= 1 else { return nil }
        let numbers = parts.compactMap { Self.number($0) }
        guard numbers.count == parts.count, let first = numbers.first else { return nil }
        if isQuotient {
            self.init(numerator: first, denominator: numbers[1])
        } else {
            let digits = parts.dropFirst().first?.utf8.count ?? 0
            let denominator = (0..<digits).reduce(UInt64(1)) { power, _ in power * 10 }
            self.init(numerator: first * denominator + (numbers.dropFirst().first ?? 0), denominator: denominator)
        }
        guard denominator > 0, numerator <= denominator else { return nil }
    }

    private static func number(_ text: Substring) -> UInt64? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...maximumDigits).contains(text.utf8.count), text.utf8.allSatisfy({ digits.contains($0) }) else {
            return nil
        }
        return UInt64(text)
    }
}
