import MarqueeCatalogue
import MarqueeModel
import MarqueeTypes
import MarqueeWire
import Testing

@testable import MarqueeScreens

/// Fields that are days, and days on times.
@Suite struct DayTests {
    private let types: RecordTypes

    init() throws {
        types = try RecordTypes(
            """
            types:
              trip:
                fields: {id: text, day: date, tags: list of text, places: integer, departs: time}
                id: id
                facets: [day, tags, places]
                sorts: [departs, places]
            """, descriptors: [])
    }

    private func trip(_ id: String, _ day: String, at departs: String = "2026-11-29T15:00:00Z") throws -> Change {
        try types.put("trip", id, #"{"id": "\#(id)", "day": "\#(day)", "departs": "\#(departs)"}"#)
    }

    private func programme(_ conditions: String, card: String = "title: $id", more: String = "") -> String {
        """
        locales: [en, ko, pl]
        screens:
          home:
            title: H
            sections:
              - {id: a, kind: list, \(more)body: {card: {\(card)}}, source: {records: {type: trip, where: {\(conditions)}}}}
        """
    }

    private func mistakes(_ conditions: String, card: String = "title: $id") -> [String] {
        do {
            _ = try Programme.parse(text: programme(conditions, card: card), file: "p.yaml", types: types.set)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    private func shown(_ conditions: String, more: String = "") throws -> [String] {
        var screens = try Screens(
            [trip("a", "2026-11-29"), trip("b", "2026-11-30", at: "2026-11-29T14:59:59Z"), trip("c", "2026-12-01")],
            types: types, programme: programme(conditions, more: more))
        let now = try #require(Moment("2026-11-29T20:00:00Z"))
        try screens.commit([.time(now)])
        return try screens.section("a").titles.sorted()
    }

    @Test(arguments: [
        ("day: today", "", ["a"]), ("day: today", "zone: Asia/Seoul, ", ["b"]),
        ("day: [today, 2026-12-01]", "", ["a", "c"]), ("day: {not: today}", "", ["b", "c"]),
        ("day: {not: [today, 2026-12-01]}", "", ["b"]), ("day: {in: [today + 2d]}", "", ["c"]),
    ])
    func `A facet of days has today`(conditions: String, zone: String, wanted: [String]) throws {
        #expect(try shown(conditions, more: zone) == wanted)
    }

    @Test func `A day compared with a time follows the section's zone`() throws {
        #expect(try shown("departs: {from: 2026-11-30}", more: "zone: Asia/Seoul, ") == ["a", "c"])
        #expect(try shown("departs: {from: 2026-11-30}") == [])
    }

    @Test(arguments: [
        ("day: 2026-13-45", "'2026-13-45' is not a value of 'day', a day written YYYY-MM-DD"),
        ("day: tomorow", "'tomorow' is not a value of 'day', a day"), ("day: now", "compared with 'today' and days"),
        ("places: {above: 40, to: 30}", "no value of 'places' meets these conditions"),
        ("places: {above: 40, to: 40}", "no value of 'places' meets"),
        ("departs: {from: now + 2h, below: now + 1h}", "no value of 'departs' meets"),
        ("day: {in: []}", "the list is empty, so no record would meet it"),
        ("day: {has: false, in: [today]}", "no value of 'day' meets"),
        ("places: {in: [1], not: [1, 2]}", "no value of 'places' meets"),
        ("departs: now", "'departs' of trip is compared by a range, such as departs: {from: today, below: today + 1d}"),
    ])
    func `Conditions that nothing meets are refused`(conditions: String, message: String) {
        let found = mistakes(conditions)
        #expect(found.count == 1 && found.first?.contains(message) == true, "\(found)")
    }

    @Test(arguments: ["places: {from: 40, to: 40}", "departs: {from: now, below: now + 1h}", "day: {not: []}"])
    func `Conditions that a value can meet are accepted`(conditions: String) { #expect(mistakes(conditions) == []) }

    @Test(arguments: [("en", "Nov 30, 2026"), ("ko", "2026년 11월 30일"), ("pl", "30 lis 2026")])
    func `A day is printed for its locale`(locale: String, wanted: String) throws {
        var screens = try Screens(
            [trip("a", "2026-11-30")], types: types,
            programme: programme("", card: "title: '{$day | date}'", more: "zone: America/Los_Angeles, "))
        #expect(try screens.section("a", locale: locale).titles == [wanted])
    }

    @Test(arguments: [("2026-11", true), ("2026-13-01", true), ("30.11.2026", true), ("2026-11-30", false)])
    func `A text that isn't a day has no place in an order of days`(text: String, isRefused: Bool) throws {
        let types = try RecordTypes(
            "types: {trip: {id: id, fields: {id: text, day: date}, sorts: [day]}}", descriptors: [])
        let source = "source: {records: {type: trip, sort: day}}, body: {card: {title: $id}}"
        let screens = try Screens(
            [], types: types,
            programme: """
                locales: [en]
                screens: {home: {title: H, sections: [{id: a, kind: list, windows: {anywhere: 7}, \(source)}]}}
                """)
        let place = SectionParameters(section: "a", place: WindowPlace(value: text))
        let refusal = Result { () throws(Status) in
            try screens.plan(screen: "home", locale: nil, parameters: [place], user: nil)
        }
        if case .failure(let status) = refusal {
            #expect(isRefused && status.reason == "UNKNOWN_ANCHOR")
        } else {
            #expect(!isRefused)
        }
    }

    @Test func `A day has no clock or zone, and only the first element of a list can be named`() {
        #expect(mistakes("", card: "title: '{$day | time}'").first?.contains("'$day' isn't one") == true)
        #expect(mistakes("", card: "title: '{$day | date: {zone: UTC}}'").first?.contains("leave 'zone' out") == true)
        for index in ["1", "-1", "x"] {
            #expect(mistakes("", card: "title: '$tags[\(index)]'").first?.contains("'$tags[0]'") == true)
        }
        #expect(mistakes("", card: "title: '$tags[0]'") == [])
    }

    @Test func `Zones have the names that the tz database gives to places`() {
        for zone in ["Asia/Kolkata", "Etc/UTC", "US/Eastern", "Asia/Saigon", "UTC"] {
            #expect(mistakes("", card: "title: '{$departs | time: {zone: \(zone)}}'") == [], "\(zone)")
        }
        for zone in ["Asia/Seol", "CST", "KST", "GMT+9"] {
            #expect(mistakes("", card: "title: '{$departs | time: {zone: \(zone)}}'").count == 1, "\(zone)")
        }
    }

    @Test func `A programme without a home screen, or with an unknown locale, gets a warning`() throws {
        let section = "{id: a, kind: list, source: {records: {type: trip}}}"
        let text = "locales: [englsh]\nscreens: {hoem: {title: H, sections: [\(section)]}}"
        let warnings = try Programme.check(text: text, file: "p.yaml", types: types.set).warnings.map(\.description)
        #expect(warnings.contains { $0.contains("no screen 'home'") && $0.contains("did you mean 'hoem'?") })
        #expect(warnings.contains { $0.contains("'englsh' is not the code of a locale") })
    }
}
