import MarqueeModel
import Testing

@testable import MarqueeScreens

/// Messages about mistakes in programmes of records and their types.
@Suite struct RecordErrorTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func errors(_ source: String, _ body: String = "card", types: RecordTypes? = nil) -> [String] {
        let text = """
            screens:
              episode/$id:
                title: $title
                sections:
                  - {id: detail, kind: detail, source: {record: {type: episode, id: $id}}}
                  - id: a
                    kind: list
                    source: \(source)
                    body: \(body)
            """
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: (types ?? self.types).set)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    @Test(arguments: [
        ("{records: {type: episod}}", "the declaration of types has no type 'episod'; did you mean 'episode'?"),
        (
            "{records: {type: episode, sort: minute}}",
            "podcast.v1.Episode has no field 'minute'; did you mean 'minutes'?"
        ),
        (
            "{records: {type: episode, sort: rating}}",
            "'rating' of episode isn't indexed for that; declare it with the type: 'sorts: [published, plays, minutes, title, rating]'"
        ),
        (
            "{records: {type: episode, where: {minutes: 60}}}",
            "'minutes' of episode isn't indexed for that; declare it with the type: 'facets: [show, topics, minutes]'"
        ),
        ("{records: {type: episode, where: {topics: {below: a}}}}", "'topics' of episode isn't indexed for that"),
        ("{records: {type: episode, where: {minutes: {below: many}}}}", "'many' is not a value of 'minutes'"),
        ("{records: {type: episode, where: {minutes: {under: 3}}}}", "the condition on 'minutes' has no key 'under'"),
        ("{records: {type: episode, where: {show: $show}}}", "'$show' is not known here"),
        ("{records: {type: episode, where: {show: $record.topics}}}", "'$record.topics' is not one value"),
        (
            "{records: {type: episode, where: {show: $id, topics: $id}}}",
            "only one condition can depend on the screen"
        ),
        ("{records: {type: episode, where: {id: e1}}}", "'id' can be 'not' a record or 'in' a collection"),
        ("{records: {type: episode, where: {id: {inn: favorites}}}}", "the condition on 'id' has no key 'inn'"),
        (
            "{records: {type: episode, where: {id: {in: favorits}}}}",
            "the declaration of types has no collection 'favorits'; did you mean 'favorites'?"
        ),
        (
            "{records: {type: show, where: {id: {not-in: progress}}}}",
            "'progress' doesn't hold 'show', only episode"
        ),
        (
            "{records: {type: episode, where: {id: {in: favorites, not-in: progress}}}}",
            "a query has one of 'in' and 'not-in'"
        ),
        (
            "{records: {type: episode, where: {show: $record.show, id: {in: favorites}}}}",
            "a query of records 'in' a collection can't depend on '$record'"
        ),
        (
            "{pool: {name: p, records: {type: episode, where: {id: {not-in: favorites}}}}}",
            "a pool shows the same to everybody, so it can't depend on a user's collection"
        ),
        ("{records: {type: episode, sort: [-plays, tilte]}}", "podcast.v1.Episode has no field 'tilte'"),
        (
            "{records: {type: episode, sort: [-plays, rating]}}",
            "'rating' of episode isn't indexed for that; declare it with the type: 'sorts: [published, plays, minutes, title, rating]'"
        ),
        ("{records: {type: episode, sort: [plays, -plays]}}", "a sort names 'plays' twice"),
        ("{records: {type: episode, sort: []}}", "a sort is empty"),
        (
            "{records: {type: episode, sort: [plays, title, minutes, published, rating]}}",
            "a sort has 5 entries; at most \(ProgrammeLimits.sortParts) are allowed"
        ),
        ("{facet: {type: episode, field: topics, sort: [-plays, rating]}}", "'rating' of episode isn't indexed"),
        (
            "{nested: {type: episode, id: $id, field: guests, sort: [role, rol]}}",
            "the sort: podcast.v1.Guest has no field 'rol'"
        ),
        ("{nested: {type: episode, id: $id, field: guests, sort: [role, -role]}}", "a sort names a field twice"),
        ("{records: {type: episode, where: {topics: {has: maybe}}}}", "unknown value of 'has' 'maybe'"),
        (
            "{records: {type: episode, where: {summary: {has: true}}}}",
            "'summary' of episode isn't indexed for that; declare it with the type: 'facets: [show, topics, summary]'"
        ),
        (
            "{records: {type: show, where: {description: {has: true}}}}",
            "'description' of show isn't indexed for that; declare it with the type: 'sorts: [followers, title, description]'"
        ),
        (
            "{records: {type: episode, where: {audio: {has: true}}}}",
            "the condition on 'audio': 'audio' can't be printed: it is a podcast.v1.Audio; name a field of it"
        ),
        ("{records: {type: episode, where: {any: {topics: food}}}}", "'any' must be a list"),
        ("{records: {type: episode, where: {any: []}}}", "'any' is empty"),
        ("{records: {type: episode, where: {any: [food]}}}", "an alternative of 'any' must map fields to conditions"),
        ("{records: {type: episode, where: {any: [{}]}}}", "an alternative of 'any' must map fields to conditions"),
        (
            "{records: {type: episode, where: {any: [{topics: food}, {minutes: 60}]}}}",
            "'minutes' of episode isn't indexed for that; declare it with the type: 'facets: [show, topics, minutes]'"
        ),
        (
            "{records: {type: episode, where: {any: [{show: $id}]}}}",
            "'$id' can't be in an alternative of 'any', only beside 'any'"
        ),
        (
            "{records: {type: episode, where: {any: [{any: [{topics: food}]}]}}}",
            "'any' can't be in an alternative of 'any', only beside 'any'"
        ),
        (
            "{records: {type: episode, where: {any: [{id: {not: $id}}]}}}",
            "'id' can't be in an alternative of 'any', only beside 'any'"
        ),
        ("{nested: {type: episode, id: $id, field: topics}}", "'topics' of episode is not a repeated message"),
    ])
    func `A wrong query is reported at its line`(source: String, reason: String) {
        let found = errors(source)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("p.yaml:8: \(reason)") == true, "\(found)")
    }

    @Test func `Alternatives are bounded, and so are their conditions`() {
        func errors(_ alternative: String, times count: Int) -> [String] {
            let all = [String](repeating: alternative, count: count).joined(separator: ", ")
            return self.errors("{records: {type: episode, where: {any: [\(all)]}}}")
        }
        let most = ProgrammeLimits.alternatives
        #expect(errors("{topics: food}", times: most) == [])
        #expect(
            errors("{topics: food}", times: most + 1) == [
                "p.yaml:8: 'any' has \(most + 1) entries; at most \(most) are allowed"
            ])
        let three = "{topics: food, show: a, plays: {above: 1}}"
        #expect(errors(three, times: ProgrammeLimits.alternativeConditions / 3) == [])
        #expect(
            errors(three, times: ProgrammeLimits.alternativeConditions / 3 + 1) == [
                "p.yaml:8: the alternatives of 'any' have 18 conditions; at most 16 are allowed"
            ])
    }

    @Test(arguments: [
        ("cards", "a section has no body 'cards'; did you mean 'card'?"),
        ("{card: {titel: $title}}", "a card has no key 'titel'; did you mean 'title'?"),
        (
            "{card: {title: $titel}}",
            "the title of a card: podcast.v1.Episode has no field 'titel'; did you mean 'title'?"
        ),
        ("{card: {title: $show.nme}}", "the title of a card: podcast.v1.Show has no field 'nme'"),
        (
            "{card: {title: $audio}}",
            "the title of a card: 'audio' can't be printed: it is a podcast.v1.Audio; name a field of it, such as 'audio.url'"
        ),
        ("{card: {title: costs $ 5}}", "the title of a card: a '$' stands before the name of a field"),
        ("{card: {rating: high}}", "a rating must be a number or a field"),
        ("{card: {record: [sound]}}", "podcast.v1.Episode has no field 'sound'"),
        ("{card: {actions: [{id: o, title: O, target: shows/$show}]}}", "the action leads to 'shows/1'"),
    ])
    func `A wrong body is reported at its line`(body: String, reason: String) {
        let found = errors("{records: {type: episode}}", body)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("p.yaml:9: \(reason)") == true, "\(found)")
    }

    @Test func `A programme of records without types is reported`() {
        let section = "\n      - {id: a, kind: list, source: {records: {type: episode}}}"
        let other = section.replacing("id: a", with: "id: b")
        let text = "screens:\n  home:\n    title: H\n    sections:\(section)\(other)"
        do {
            _ = try Programme.parse(text: text, file: "p.yaml")
            Issue.record("it was taken")
        } catch {
            #expect(
                error.mistakes.map(\.description) == [
                    "p.yaml:5: there is no type 'episode': no types of records are declared; --types names their file, "
                        + "--data a folder that has them"
                ])
        }
    }

    @Test func `The sample has no mistakes`() throws {
        let checked = try Programme.check(
            text: Podcasts.text("programme.yaml"), file: "programme.yaml", types: types.set)
        #expect(checked.warnings == [])
    }
}
