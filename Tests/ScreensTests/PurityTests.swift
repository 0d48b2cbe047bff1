import MarqueeCatalogue
import MarqueeModel
import MarqueePresetRecords
import SeededRandom
import Testing

@testable import MarqueeScreens

/// Screens are functions of only the log's prefix, the parameters and the user.
@Suite struct PurityTests {
    private func sums(_ screens: inout Screens) throws -> [UInt64] {
        var sums: [UInt64] = []
        for name in ["home", "detail/27205", "genre/28", "genre/18"] {
            for locale in ["en", "ko"] {
                let plan = try screens.plan(screen: name, locale: locale, parameters: [], user: nil)
                sums.append(try screens.evaluate(view: plan.view).version.sum)
                for section in plan.sections {
                    sums.append(try screens.evaluate(section.variant, members: []).version.sum)
                }
            }
        }
        return sums
    }

    @Test func `Evaluating twice gives the same sums`() throws {
        var screens = try Screens(presets: Presets.changes)
        let first = try sums(&screens)
        #expect(try sums(&screens) == first)
        #expect(Set(first).count > 20)
    }

    @Test func `A snapshot in any order and commits one by one give the same sums`() throws {
        let types = try Presets.types()
        let changes = try types.logged(Presets.changes)
        func screens(_ changes: [Change]) throws -> Screens {
            try Screens(changes, types: types, programme: PresetCatalogue.programme)
        }
        var whole = try screens(changes)
        let expected = try sums(&whole)
        var generator = SeededGenerator(seed: 3)
        var shuffled = try screens(changes.shuffled(using: &generator))
        #expect(try sums(&shuffled) == expected)
        var commits = try screens([])
        for change in changes.shuffled(using: &generator) {
            try commits.commit([change])
            // Fills the caches, which later commits must keep correct.
            _ = try commits.section("rank")
        }
        #expect(try sums(&commits) == expected)
    }
}
