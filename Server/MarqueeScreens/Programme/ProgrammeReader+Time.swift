import MarqueeModel
import MarqueeTypes
import Yams

/// Reads what depends on the catalogue's time: `{starts: {from: now, below: now + 2h}}`, `visible: {from: …}`.
extension ProgrammeReader {
    /// Reads `now`, `now + 2h 30m`, `today` or `today - 7d`.
    mutating func timeTerm(_ text: String, _ node: Node, of field: TypeDeclaration.SortField) -> TimeTerm? {
        do throws(TimeText.Mistake) {
            let term = try TimeText.term(text, zone: zone)
            guard field.isDate, term.origin == .now || term.milliseconds != 0 else { return term }
            report(
                node, "'\(field.path.text)' is a day, which is compared with 'today' and days, such as today + 7d")
            return nil
        } catch {
            report(node, error.reason)
            return nil
        }
    }

    /// Reads `{from: 2026-12-24T18:00:00+09:00, until: 2026-12-27T00:00:00+09:00}`; one of the two may be missing.
    mutating func season(_ node: Node) -> Programme.Season? {
        guard let fields = fields(node, "'visible'", allowed: ["from", "until"]) else { return nil }
        guard fields["from"] != nil || fields["until"] != nil else {
            report(node, "'visible' needs 'from', 'until' or both")
            return nil
        }
        let season = Programme.Season(
            from: fields["from"].flatMap { moment($0, "'from'") },
            until: fields["until"].flatMap { moment($0, "'until'") })
        if let from = season.from, let until = season.until, until <= from {
            report(node, "'until' is not after 'from', so it would never be visible")
        }
        return season
    }

    /// Reads `{from: $opens, until: $closes}` of a query, fields of its records; one of the two may be missing.
    ///
    /// - Returns: conditions that a record without a value of the field meets.
    mutating func visibility(_ node: Node, of type: TypeDeclaration) -> [RecordCondition] {
        guard let fields = fields(node, "'visible' of a query", allowed: ["from", "until"]) else { return [] }
        if fields["from"] == nil, fields["until"] == nil { report(node, "'visible' needs 'from', 'until' or both") }
        let from = fields["from"].flatMap { timeField($0, "'from'", of: type) }
        let until = fields["until"].flatMap { timeField($0, "'until'", of: type) }
        var conditions: [RecordCondition] = []
        if let from { conditions.append(.isOpen(from, lower: nil, upper: bound(of: from, isIncluded: true))) }
        if let until { conditions.append(.isOpen(until, lower: bound(of: until, isIncluded: false), upper: nil)) }
        return conditions
    }

    /// The catalogue's time as a bound of a field.
    private func bound(of field: TypeDeclaration.SortField, isIncluded: Bool) -> RecordCondition.Bound {
        let term = TimeTerm(origin: field.isDate ? .today(zone: zone) : .now)
        return RecordCondition.Bound(limit: .moving(term), isIncluded: isIncluded)
    }

    private mutating func timeField(
        _ node: Node, _ what: String, of type: TypeDeclaration
    ) -> TypeDeclaration.SortField? {
        guard let text = text(node, what) else { return nil }
        guard text.hasPrefix("$") else {
            report(
                node,
                "\(what) of a query names a field of its records, such as $opens, not '\(text.prefix(64))'; a moment "
                    + "belongs to 'visible' of the section")
            return nil
        }
        guard let field = sortField(String(text.dropFirst()), node, of: type) else { return nil }
        if field.isTime { return field }
        report(node, "'\(text.prefix(64))' is neither a Timestamp nor a 'date'")
        return nil
    }

    private mutating func moment(_ node: Node, _ what: String) -> Moment? {
        guard let text = text(node, what) else { return nil }
        if let moment = Moment(text) { return moment }
        report(
            node,
            "\(what) is a moment with its distance from UTC, such as 2026-12-24T18:00:00+09:00, not "
                + "'\(text.prefix(64))'")
        return nil
    }

    /// Reads the name of a time zone.
    mutating func timeZone(_ node: Node) -> String? { text(node, "'zone'").flatMap { zone($0, node) } }
}

extension RecordCondition {
    /// The field is within these bounds, or missing.
    fileprivate static func isOpen(
        _ field: TypeDeclaration.SortField, lower: Bound?, upper: Bound?
    ) -> RecordCondition {
        .isAnyOf([[.isWithin(field, lower: lower, upper: upper)], [.has(.sort(field), false)]])
    }
}

extension TypeDeclaration.SortField {
    /// Whether it can be compared with the catalogue's time.
    var isTime: Bool { isDate || path.target == .timestamp }
}

/// Times in relation to the catalogue's time, as programmes write them.
enum TimeText {
    struct Mistake: Error {
        var reason: String
    }

    /// The most days between a term and the catalogue's time: some ten years.
    static let maximumDays: Int64 = 3_660

    private static let origins = ["now", "today"]
    private static let units: [(name: Character, milliseconds: Int64)] = [
        ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000),
    ]

    /// Whether a text is meant as a relative time, even if it has mistakes.
    static func isRelative(_ text: String) -> Bool {
        let word = String(text.prefix { $0.isLetter })
        return !word.isEmpty && (origins.contains(word) || NearestName.suggestion(for: word, among: origins) != nil)
    }

    /// - Parameter zone: the zone of days.
    static func term(_ text: String, zone: String) throws(Mistake) -> TimeTerm {
        var rest = Substring(text)
        let word = String(rest.prefix { $0.isLetter })
        rest = rest.dropFirst(word.count)
        var term: TimeTerm
        switch word {
        case "now": term = TimeTerm(origin: .now)
        case "today": term = TimeTerm(origin: .today(zone: zone))
        default:
            throw Mistake(reason: "a time begins with 'now' or 'today'\(NearestName.hint(for: word, among: origins))")
        }
        var sign: Int64?
        while true {
            rest = rest.drop { $0 == " " }
            guard let first = rest.first else { break }
            if first == "+" || first == "-" {
                sign = first == "+" ? 1 : -1
                rest = rest.dropFirst().drop { $0 == " " }
            }
            guard let sign, let (count, unit) = amount(&rest) else {
                throw Mistake(
                    reason:
                        "'\(text.prefix(64))' isn't a time: 'now' or 'today', then + or - and numbers with s, m, h, "
                        + "d or w, such as now + 2h 30m")
            }
            if case .today = term.origin, unit.name == "d" || unit.name == "w" {
                term.days += Int(sign * count * (unit.name == "w" ? 7 : 1))
            } else {
                term.milliseconds += sign * count * unit.milliseconds
            }
        }
        let days = Int64(term.days.magnitude) + Int64(term.milliseconds.magnitude) / 86_400_000
        guard days <= maximumDays else {
            throw Mistake(reason: "'\(text.prefix(64))' is more than \(maximumDays) days away")
        }
        return term
    }

    /// Reads a number of at most six digits with its unit.
    private static func amount(
        _ rest: inout Substring
    ) -> (count: Int64, unit: (name: Character, milliseconds: Int64))? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        guard (1...6).contains(digits.count), let count = Int64(digits) else { return nil }
        rest = rest.dropFirst(digits.count)
        guard let name = rest.first, let unit = units.first(where: { $0.name == name }) else { return nil }
        rest = rest.dropFirst()
        return (count, unit)
    }
}
