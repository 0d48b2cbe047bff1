import Foundation
import MarqueeCatalogue
import MarqueeModel

/// Lists within the catalogue's records, as text of a column.
enum ListColumns {
    static func encode(_ numbers: [UInt64]) -> String {
        var rows = TextRows.Writer()
        for number in numbers {
            rows.field(number)
            rows.endRow()
        }
        return rows.text
    }

    static func numbers(_ text: String) throws -> [UInt64] {
        var numbers: [UInt64] = []
        try TextRows.read(text, fields: 1) { numbers.append(try $0[0].number()) }
        return numbers
    }

    static func encode(_ texts: [String]) -> String {
        var rows = TextRows.Writer()
        for text in texts {
            rows.field(text)
            rows.endRow()
        }
        return rows.text
    }

    static func texts(_ text: String) throws -> [String] {
        var texts: [String] = []
        try TextRows.read(text, fields: 1) { texts.append(try $0[0].text()) }
        return texts
    }

    /// Sorted by key, so that equal values give equal text.
    static func encode(_ names: [String: String]) -> String {
        var rows = TextRows.Writer()
        for (code, name) in names.sorted(by: { $0.key < $1.key }) {
            rows.field(code)
            rows.field(name)
            rows.endRow()
        }
        return rows.text
    }

    static func names(_ text: String) throws -> [String: String] {
        var names: [String: String] = [:]
        try TextRows.read(text, fields: 2) { names[try $0[0].text()] = try $0[1].text() }
        return names
    }

    static func encode(_ image: ImageReference) -> String {
        var rows = TextRows.Writer()
        rows.field(image.name)
        rows.field(image.aspect)
        rows.field(image.color)
        rows.endRow()
        return rows.text
    }

    static func image(_ text: String) throws -> ImageReference {
        var image: ImageReference?
        try TextRows.read(text, fields: 3) {
            image = ImageReference(name: try $0[0].text(), aspect: try $0[1].optionalNumber(), color: $0[2])
        }
        guard let image else { throw TextRows.Malformed() }
        return image
    }

    static func encode(_ cast: [Credits.Cast]) -> String {
        var rows = TextRows.Writer()
        for entry in cast {
            rows.field(entry.person)
            rows.field(entry.name)
            rows.field(entry.character)
            rows.endRow()
        }
        return rows.text
    }

    static func cast(_ text: String) throws -> [Credits.Cast] {
        var cast: [Credits.Cast] = []
        try TextRows.read(text, fields: 3) {
            cast.append(Credits.Cast(person: try $0[0].number(), name: try $0[1].text(), character: $0[2]))
        }
        return cast
    }

    static func encode(_ crew: [Credits.Crew]) -> String {
        var rows = TextRows.Writer()
        for entry in crew {
            rows.field(entry.person)
            rows.field(entry.name)
            rows.field(entry.job)
            rows.field(entry.department)
            rows.endRow()
        }
        return rows.text
    }

    static func crew(_ text: String) throws -> [Credits.Crew] {
        var crew: [Credits.Crew] = []
        try TextRows.read(text, fields: 4) {
            crew.append(
                Credits.Crew(
                    person: try $0[0].number(), name: try $0[1].text(), job: try $0[2].text(), department: $0[3]))
        }
        return crew
    }

    static func encode(_ entries: [ChartDay.Entry]) -> String {
        var rows = TextRows.Writer()
        for entry in entries {
            rows.field(entry.key)
            rows.field(entry.title)
            rows.field(entry.movie)
            rows.field(entry.gross)
            rows.field(entry.grossToDate)
            rows.field(entry.theaters)
            rows.field(entry.daysInRelease)
            rows.field(entry.distributor)
            rows.field(entry.currency)
            rows.field(entry.audience)
            rows.field(entry.audienceToDate)
            rows.field(entry.share)
            rows.field(entry.hours)
            rows.field(entry.views)
            rows.field(entry.weeks)
            rows.field(entry.rank)
            rows.field(entry.previousRank)
            rows.field(entry.isNew.map { $0 ? UInt32(1) : 0 })
            rows.endRow()
        }
        return rows.text
    }

    /// Values of many shapes, as JSON. Equal values give equal text.
    static func json(_ values: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(values), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ json: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    static func entries(_ text: String) throws -> [ChartDay.Entry] {
        var entries: [ChartDay.Entry] = []
        try TextRows.read(text, fields: 18) {
            var entry = ChartDay.Entry(key: try $0[0].text(), title: try $0[1].text())
            entry.movie = try $0[2].optionalNumber()
            entry.gross = try $0[3].optionalNumber()
            entry.grossToDate = try $0[4].optionalNumber()
            entry.theaters = try $0[5].optionalNumber()
            entry.daysInRelease = try $0[6].optionalNumber()
            entry.distributor = $0[7]
            entry.currency = $0[8]
            entry.audience = try $0[9].optionalNumber()
            entry.audienceToDate = try $0[10].optionalNumber()
            entry.share = try $0[11].optionalNumber()
            entry.hours = try $0[12].optionalNumber()
            entry.views = try $0[13].optionalNumber()
            entry.weeks = try $0[14].optionalNumber()
            entry.rank = try $0[15].optionalNumber()
            entry.previousRank = try $0[16].optionalNumber()
            entry.isNew = (try $0[17].optionalNumber() as UInt32?).map { $0 != 0 }
            entries.append(entry)
        }
        return entries
    }
}
