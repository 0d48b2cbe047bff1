import MarqueeModel
import MarqueeTypes
import Testing

@testable import MarqueeScreens

/// The observations that a programme asks clients for.
@Suite struct CountingTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    /// - Parameters:
    ///   - top: lines of the programme itself.
    ///   - own: keys of its one section, such as `taps: true,`.
    private func programme(_ top: String, _ own: String = "") -> String {
        """
        \(top)
        screens:
          home:
            title: Home
            sections:
              - {id: a, kind: list, \(own) source: {records: {type: episode}}}
        """
    }

    private func counting(_ top: String, _ own: String = "") throws -> Counting? {
        var screens = try Screens([], types: types, programme: programme(top, own))
        return try screens.section("a").head.counting
    }

    @Test func `Nothing is counted unless the programme asks for it`() throws {
        #expect(try counting("locales: [en]") == nil)
        #expect(try counting("impressions: false\ntaps: false") == nil)
    }

    @Test func `A section counts as the programme says, or as it says itself`() throws {
        let usual = Counting.Impressions(share: 50, duration: 1_000, again: 1_800_000)
        #expect(try counting("impressions: true") == Counting(impressions: usual))
        #expect(try counting("taps: true") == Counting(taps: true))
        let own = "impressions: {share: 0.25, for: 500ms, again: 1d},"
        #expect(
            try counting("taps: true", own)
                == Counting(impressions: Counting.Impressions(share: 25, duration: 500, again: 86_400_000), taps: true))
        #expect(try counting("impressions: true\ntaps: true", "impressions: false, taps: false,") == nil)
    }

    @Test(arguments: [
        ("impressions: yes", "p.yaml:1: unknown word for impressions 'yes'"),
        ("impressions: {shar: 1}", "p.yaml:1: 'impressions' has no key 'shar'; did you mean 'share'?"),
        ("impressions: {share: 0}", "p.yaml:1: 'share' must be from 0.01 to 1.0, not 0"),
        ("impressions: {for: 1}", "p.yaml:1: 'for' is a whole number with ms, s, m, h or d, such as 30m, not '1'"),
        ("impressions: {for: 2h}", "p.yaml:1: 'for' is from 100 ms to 1 h, not 2h"),
        ("impressions: {again: 99999999d}", "p.yaml:1: 'again' is from 0 ms to 168 h, not 99999999d"),
        ("taps: maybe", "p.yaml:1: unknown word for taps 'maybe'"),
        ("identity: true", "p.yaml:1: nothing is counted, so no 'identity' is kept"),
    ])
    func `A mistake is reported at its line`(top: String, reason: String) {
        do {
            _ = try Programme.parse(text: programme(top), file: "p.yaml", types: types.set)
            Issue.record("no mistake was found")
        } catch {
            #expect(error.mistakes.first?.description.hasPrefix(reason) == true, "\(error.mistakes)")
        }
    }

    @Test func `The audiences of a screen that a reader is in are named, and no others`() throws {
        let text = """
            audiences:
              plus: {plan: plus}
              beta: {groups: beta}
            screens:
              home:
                title: Home
                sections:
                  - {id: a, kind: list, audience: [plus, beta], source: {records: {type: episode}}}
                  - {id: b, kind: list, audience: {not: plus}, source: {records: {type: episode}}}
            """
        let programme = try Programme.parse(text: text, file: "p.yaml", types: types.set)
        let claims = Claims(["plan": .text("plus"), "groups": .texts(["a"])])
        #expect(programme.audiences(of: "home", claims: claims, user: "mina") == ["plus"])
        #expect(programme.audiences(of: "other", claims: claims, user: "mina").isEmpty)
    }
}
