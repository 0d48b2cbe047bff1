import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// The errors and warnings reported for audiences, and their lines.
@Suite struct AudienceErrorTests {
    private let types: TypeSet

    init() throws { types = try Podcasts.types().set }

    /// - Parameter condition: the condition of the audience in line 2.
    private func programme(_ condition: String, audience: String = "premium") -> String {
        """
        audiences:
          premium: \(condition)
        screens:
          home:
            title: Home
            sections:
              - {id: a, kind: list, audience: \(audience), source: {records: {type: episode}}}
        """
    }

    private func errors(_ text: String) -> [String] {
        do {
            _ = try Programme.parse(text: text, file: "p.yaml", types: types)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    @Test(arguments: [
        ("{}", "the audience 'premium' needs a condition"),
        ("plus", "the audience 'premium' must be a mapping"),
        ("{plan: []}", "the claim 'plan' lists no values"),
        ("{plan: ~}", "the claim 'plan' has no value; {exists: false} stands for readers without it"),
        ("{plan: {form: 5}}", "the claim 'plan' has no key 'form'; did you mean 'from'?"),
        ("{plan: {}}", "the claim 'plan' needs 'from', 'below' or both"),
        ("{plan: {from: 5.x}}", "a bound of the claim 'plan' is a number or several with dots between"),
        ("{plan: {from: 6, below: 5.2}}", "the claim 'plan' needs a 'from' that is less than 'below'"),
        ("{plan: {exists: maybe}}", "unknown word for a claim 'maybe'"),
        ("{plan: {exists: true, from: 5}}", "the claim 'plan' has no key 'from'. Allowed: exists"),
        ("{bucket: {below: 1/2}}", "a bucket needs 'salt'"),
        ("{bucket: {salt: s}}", "a bucket needs 'from', 'below' or both"),
        ("{bucket: {salt: s, below: 1/0}}", "a bound of a bucket is from 0 to 1"),
        ("{bucket: {salt: s, below: 4/3}}", "a bound of a bucket is from 0 to 1"),
        ("{bucket: {salt: s, below: 50%}}", "a bound of a bucket is from 0 to 1"),
        ("{bucket: {salt: s, below: 0.1234567890}}", "a bound of a bucket is from 0 to 1"),
        ("{bucket: {salt: s, from: 1/2, below: 0.5}}", "the bucket begins where it ends or later"),
    ])
    func `A wrong condition is reported at its line`(condition: String, reason: String) {
        let found = errors(programme(condition))
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("p.yaml:2: \(reason)") == true, "\(found)")
    }

    @Test func `A title by audience needs one for everybody else, and no section shows it`() {
        func title(_ text: String) -> String {
            programme("{plan: plus}").replacing("title: Home\n", with: "title: \(text)\n")
        }
        let titles = "[{audience: premium, use: Yours}, Home]"
        #expect(errors(title(titles)) == [])
        #expect(
            errors(title("[{audience: premium, use: Yours}]")).first?.contains("no value for everybody else") == true)
        let shown = errors(title(titles).replacing("kind: list,", with: "kind: list, header: All of $title,"))
        #expect(shown.count == 1 && shown.first?.hasPrefix("p.yaml:5: the section 'a' shows the screen's") == true)
    }

    @Test(arguments: [
        ("premum", "the programme has no audience 'premum'; did you mean 'premium'?"),
        ("{not: premum}", "the programme has no audience 'premum'; did you mean 'premium'?"),
        ("[premium, beta]", "the programme has no audience 'beta'. Allowed: premium"),
        ("[]", "'audience' names nobody; leave it out for everybody"),
        ("{nor: premium}", "'audience' has no key 'nor'; did you mean 'not'?"),
    ])
    func `A wrong audience of a section is reported at its line`(audience: String, reason: String) {
        let found = errors(programme("{plan: plus}", audience: audience))
        #expect(found.contains { $0.hasPrefix("p.yaml:7: \(reason)") }, "\(found)")
    }

    @Test func `A programme without audiences can't name one`() {
        let text = programme("{plan: plus}").split(separator: "\n").dropFirst(2).joined(separator: "\n")
        #expect(errors(text) == ["p.yaml:5: the programme has no 'audiences', so there is no 'premium'"])
    }

    @Test func `An audience that nothing uses gets a warning`() throws {
        let text = programme("{plan: plus}\n  beta: {groups: beta}")
        let warnings = try Programme.check(text: text, file: "p.yaml", types: types).warnings.map(\.description)
        #expect(warnings.count == 1, "\(warnings)")
        #expect(warnings.first?.hasPrefix("p.yaml:3: nothing is for the audience 'beta'") == true)
    }
}
