import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import Yams

/// Reads the choices and formats of templates: `{$start | time: {zone: Asia/Seoul} ?? "soon"}`.
extension ProgrammeReader {
    /// Largest number of fraction digits.
    private static let digits = 9

    private static let formats = [
        "number", "percent", "bytes", "date", "time", "datetime", "duration", "left", "label",
        TemplateText.Written.plural,
    ]

    /// - Returns: `nil` for mistakes that were reported.
    mutating func choice(
        _ alternatives: [TemplateText.Alternative], _ node: Node, _ what: String, _ scope: TemplateScope
    ) -> [RecordTemplate.Alternative]? {
        var choice: [RecordTemplate.Alternative] = []
        for alternative in alternatives {
            switch alternative {
            case .text(let text): choice.append(.text(text))
            case .value(let name, let written):
                guard let value = value(named: name, node, what, scope) else { return nil }
                guard let written else {
                    choice.append(.value(value, nil))
                    continue
                }
                if written.name == TemplateText.Written.plural {
                    guard let forms = forms(written, of: value, name, node, what, scope) else { return nil }
                    choice.append(.plural(value, forms))
                    continue
                }
                var format: TextFormat? =
                    switch written.name {
                    case "label": label(written, of: value, name, node, what, scope)
                    case "left": left(written, until: value, name, node, what, scope)
                    default: self.format(written, node, what)
                    }
                if case .moment(let style?, nil, _)? = format, isDay(value, name, node, what, scope) {
                    guard !written.options.contains(where: { $0.key == "zone" }) else {
                        report(node, "\(what): '$\(name)' is a day, which is the same in every zone; leave 'zone' out")
                        return nil
                    }
                    format = .day(style)
                }
                guard let format, isFitting(format, written, value, name, node, what) else { return nil }
                choice.append(.value(value, format))
            }
        }
        return choice
    }

    /// Whether a value is declared as a day.
    private mutating func isDay(
        _ value: RecordValue, _ name: String, _ node: Node, _ what: String, _ scope: TemplateScope
    ) -> Bool {
        switch value {
        case .facetValue: return scope.facet.map { scope.shape?.days.contains($0.path) == true } ?? false
        case .first(let list): return isDay(list, String(name.dropLast(TemplateText.first.count)), node, what, scope)
        case .field(.plain(let path)), .referred(_, .plain(let path)), .facetReferred(_, _, .plain(let path)):
            return field(named: name, node, what, scope)?.shape.days.contains(path) == true
        default: return false
        }
    }

    /// Reports a value that the format can't print.
    mutating func isFitting(
        _ format: TextFormat, _ written: TemplateText.Written, _ value: RecordValue, _ name: String, _ node: Node,
        _ what: String
    ) -> Bool {
        if format.fits(value) { return true }
        report(node, "\(what): '\(written.name)' formats \(format.wanted), and '$\(name)' isn't one")
        return false
    }

    /// Reports whatever comes after a format that takes nothing.
    mutating func standsAlone(_ written: TemplateText.Written, _ node: Node, _ what: String) -> Bool {
        if written.argument == nil, written.options.isEmpty { return true }
        report(node, "\(what): '\(written.name)' takes nothing after it")
        return false
    }

    private mutating func format(_ written: TemplateText.Written, _ node: Node, _ what: String) -> TextFormat? {
        switch written.name {
        case "number", "percent":
            guard let digits = digits(written, node, what) else { return nil }
            return written.name == "number" ? .number(digits: digits) : .percent(digits: digits)
        case "bytes", "duration":
            guard standsAlone(written, node, what) else { return nil }
            return written.name == "bytes" ? .bytes : .duration
        case "date", "time", "datetime": return moment(written, node, what)
        default:
            let hint = NearestName.hint(for: written.name, among: Self.formats)
            report(
                node,
                "\(what): there is no format '\(written.name)'\(hint); formats are "
                    + Self.formats.joined(separator: ", "))
            return nil
        }
    }

    /// Reads the time left until a field's value, whose order says when the text changes.
    private mutating func left(
        _ written: TemplateText.Written, until value: RecordValue, _ name: String, _ node: Node, _ what: String,
        _ scope: TemplateScope
    ) -> TextFormat? {
        guard standsAlone(written, node, what) else { return nil }
        guard let type = scope.type, scope.othersRefusal == nil, scope.countRefusal == nil,
            case .field(.plain(let path)) = value
        else {
            report(node, "\(what): the time left is known only of a field of the record itself, in a section's items")
            return nil
        }
        guard let field = type.sorts.first(where: { $0.path == path && path.target == .timestamp }) else {
            report(
                node,
                "\(what): the time left needs '$\(name)' to be a google.protobuf.Timestamp among the 'sorts' of "
                    + "'\(type.alias)'")
            return nil
        }
        let sort = RecordSort(first: RecordSort.Part(field: field, isDescending: false))
        countdowns.insert(RecordFamily(type: type.alias, sort: sort))
        return .left
    }

    private mutating func digits(_ written: TemplateText.Written, _ node: Node, _ what: String) -> Int?? {
        guard written.options.isEmpty else {
            report(node, "\(what): '\(written.name)' takes fraction digits, such as '\(written.name): 1'")
            return nil
        }
        guard let argument = written.argument else { return .some(nil) }
        guard let digits = Int(argument), (0...Self.digits).contains(digits) else {
            report(node, "\(what): '\(written.name)' takes 0 to \(Self.digits) fraction digits, not '\(argument)'")
            return nil
        }
        return digits
    }

    private mutating func moment(_ written: TemplateText.Written, _ node: Node, _ what: String) -> TextFormat? {
        var style = TextFormat.Style.medium
        var zone = self.zone
        let argument = written.argument.map { [(key: "style", value: $0)] } ?? []
        for (key, value) in argument + written.options {
            switch key {
            case "style":
                guard let named = TextFormat.Style(rawValue: value) else {
                    let names = TextFormat.Style.allCases.map(\.rawValue)
                    report(
                        node,
                        "\(what): '\(written.name)' is \(names.joined(separator: ", ")), not '\(value)'"
                            + NearestName.hint(for: value, among: names))
                    return nil
                }
                style = named
            case "zone":
                guard let named = self.zone(value, node, "\(what): ") else { return nil }
                zone = named
            default:
                report(node, "\(what): '\(written.name)' takes 'style' and 'zone', not '\(key)'")
                return nil
            }
        }
        switch written.name {
        case "date": return .moment(date: style, time: nil, zone: zone)
        case "time": return .moment(date: nil, time: style, zone: zone)
        default: return .moment(date: style, time: style, zone: zone)
        }
    }

    /// Reads the name of a time zone.
    ///
    /// - Parameter place: the beginning of a message.
    mutating func zone(_ name: String, _ node: Node, _ place: String = "") -> String? {
        if TimeZone(named: name) != nil { return name }
        let hint = NearestName.hint(for: name, among: TimeZone.knownTimeZoneIdentifiers)
        report(node, "\(place)there is no time zone '\(name.prefix(64))'\(hint)")
        return nil
    }
}

extension TextFormat {
    /// The values that the format takes, in words for messages.
    fileprivate var wanted: String {
        switch self {
        case .number, .percent, .bytes: "a number"
        case .moment(_, nil, _), .day: "a google.protobuf.Timestamp or a day"
        case .moment, .left: "a google.protobuf.Timestamp"
        case .duration: "a google.protobuf.Duration"
        case .label: "a value with labels"
        }
    }

    fileprivate func fits(_ value: RecordValue) -> Bool {
        switch self {
        case .number, .percent, .bytes: value.isNumber
        case .moment, .left: value.path?.target == .timestamp
        case .duration: value.path?.target == .duration
        // This format is only chosen for days.
        case .label, .day: true
        }
    }
}
