import MarqueeTypes

/// The fields that a column becomes, decided by its declared type or by how its values are written.
enum FieldChoice: Hashable {
    /// How a field reads its column.
    struct Reading: Hashable {
        var type: InlineFieldType
        /// The separator between the values of a list.
        var separator: String?
        /// The form of its times.
        var form: String?
        /// Whether its times have no zone, and UTC is meant.
        var needsZone = false
        /// A note for the reader.
        var note: String?
    }

    /// A member of the JSON in a column.
    struct Part: Hashable {
        var name: String
        var reading: Reading
        var profile: ColumnProfile
    }

    case field(Reading)
    case parts([Part], leftOut: [String])
    case leftOut(String)

    /// The most characters of a text: a record has room for 64 KiB.
    private static let characters = 20_000

    init(_ column: SampledColumn, isFromDatabase: Bool) {
        switch column.declared {
        case .refused(let reason): self = .leftOut(reason)
        case .field(let type, let note):
            let needsZone = note != nil && type.value == .time
            self = Self.bounded(Reading(type: type, needsZone: needsZone, note: note), column.profile)
        case .json:
            self =
                column.profile.count == 0
                ? .leftOut("JSON, and no row has any yet") : Self(column.profile, column.name, "")
        case .sampled(let word):
            if column.profile.count == 0 {
                self = .leftOut("no row has a value")
            } else {
                self = Self(column.profile, column.name, word.lowercased())
            }
        }
    }

    /// - Parameter word: the declared type, if there is one that isn't enforced.
    private init(_ profile: ColumnProfile, _ name: String, _ word: String) {
        if profile.isAll(.list) {
            self = Self.list(profile)
        } else if profile.isAll(.object) {
            self = profile.isByLocale ? .field(Reading(type: InlineFieldType(.text, .byLocale))) : Self.parts(profile)
        } else if profile.looks[.list] != nil || profile.looks[.object] != nil {
            self = .leftOut("its values are of different kinds")
        } else if word.contains("blob") {
            self = .leftOut("\(word): bytes, which a screen doesn't show")
        } else {
            self = Self.bounded(Self.scalar(profile, name, word), profile)
        }
    }

    private static func bounded(_ reading: Reading, _ profile: ColumnProfile) -> FieldChoice {
        guard profile.longest <= characters else {
            return .leftOut("texts of up to \(profile.longest) characters; a record has room for 64 KiB")
        }
        return .field(reading)
    }

    private static func list(_ profile: ColumnProfile) -> FieldChoice {
        guard let elements = profile.elements.first, elements.count > 0 else {
            return .leftOut("lists, and none has a value yet")
        }
        guard elements.looks[.list] == nil, elements.looks[.object] == nil else {
            return .leftOut("a list of objects: they need a message of a .proto file")
        }
        let element = scalar(elements, "", "")
        // Other forms of times can be given for a field, but not for a list in JSON.
        let type = element.form == nil && !element.needsZone ? element.type.value : .text
        return .field(Reading(type: InlineFieldType(type, .list)))
    }

    private static func parts(_ profile: ColumnProfile) -> FieldChoice {
        var parts: [Part] = []
        var leftOut: [String] = []
        for (name, part) in profile.parts {
            let isPlain =
                part.count > 0 && part.looks[.list] == nil && part.looks[.object] == nil
                && !name.isEmpty && !name.contains { ".[]".contains($0) }
            if isPlain, case .field(let reading) = bounded(scalar(part, name, ""), part) {
                parts.append(Part(name: name, reading: reading, profile: part))
            } else {
                leftOut.append(name)
            }
        }
        return parts.isEmpty ? .leftOut("objects without a plain value") : .parts(parts, leftOut: leftOut)
    }

    private static func scalar(_ profile: ColumnProfile, _ name: String, _ word: String) -> Reading {
        let isText = ["char", "clob", "text"].contains { word.contains($0) }
        if isText, profile.isAll(.integer, .decimal, .code, .truth) { return Reading(type: InlineFieldType(.text)) }
        if profile.isAll(.integer) { return integer(profile, ScaffoldNames.words(of: name), word) }
        if profile.isAll(.integer, .decimal) { return Reading(type: InlineFieldType(.number)) }
        if profile.isAll(.truth) { return Reading(type: InlineFieldType(.boolean)) }
        if profile.isAll(.day) { return Reading(type: InlineFieldType(.date)) }
        if profile.isAll(.day, .instant) { return Reading(type: InlineFieldType(.time)) }
        if profile.isAll(.day, .instant, .localTime) {
            return Reading(type: InlineFieldType(.time), needsZone: true, note: "times without a zone, read as UTC")
        }
        if profile.isAll(.otherTime), let form = profile.timeForms.first {
            guard profile.timeForms.count == 1 else {
                return Reading(
                    type: InlineFieldType(.text),
                    note:
                        "kept as text: its days may be written \(profile.timeForms.joined(separator: " or ")); say which "
                        + "under 'time', and change its type")
            }
            let hasClock = TimeForms.hasClock(form)
            return Reading(
                type: InlineFieldType(hasClock ? .time : .date), form: form,
                note: "written \(form)" + (hasClock ? ", in UTC" : ""))
        }
        if profile.amounts > 0, profile.amounts == profile.looks[.text],
            profile.isAll(.text, .integer, .decimal, .code)
        {
            let example = profile.values.keys.filter { Double($0) == nil }.sorted().first ?? "1,5"
            return Reading(
                type: InlineFieldType(.text),
                note:
                    "kept as text: amounts such as '\(Field.shown(example))' aren't numbers; write them with a point and "
                    + "without signs, 1204.5, or add 'decimal: comma', and change its type")
        }
        if profile.isMostlyNumbers, profile.looks[.code] == nil,
            let word = profile.values.keys.filter({ Double($0) == nil }).sorted().first
        {
            return Reading(
                type: InlineFieldType(.text),
                note: "kept as text: '\(Field.shown(word))' is no number; if it means that there is none, add "
                    + "'null: \(YAMLText.quoted(word))', and change its type")
        }
        if profile.barred > 1, profile.barred * 10 >= profile.count {
            return Reading(type: InlineFieldType(.text, .list), separator: "|")
        }
        return Reading(type: InlineFieldType(.text))
    }

    /// Numbers that may be seconds since 1970, from 2000 to 2100.
    private static let seconds = 946_684_800.0...4_102_444_800.0

    private static func integer(_ profile: ColumnProfile, _ words: [String], _ word: String) -> Reading {
        let isFlag = word.hasPrefix("bool") || ["is", "has"].contains(words.first)
        if isFlag, profile.least >= 0, profile.largest <= 1 { return Reading(type: InlineFieldType(.boolean)) }
        let isTime =
            word.hasPrefix("date") || word.hasPrefix("time")
            || ["at", "time", "timestamp", "epoch"].contains(words.last)
        for (form, factor) in [("unix", 1.0), ("unix-ms", 1_000)]
        where isTime && seconds.contains(profile.least / factor) && seconds.contains(profile.largest / factor) {
            return Reading(type: InlineFieldType(.time), form: form, note: "a count since 1970: \(form)")
        }
        return Reading(type: InlineFieldType(.integer))
    }
}
