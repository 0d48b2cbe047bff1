import Foundation
import MarqueeModel
import MarqueeScreenJSON
import Testing

@testable @_spi(Admin) import MarqueeClient
@testable import marquee

/// The part of `marquee health` about sources.
struct SourceHealthTests {
    private static let failing = FollowedSource(
        name: "shop", position: "16/B3", moved: Date(timeIntervalSince1970: 880.5),
        report: .init(state: "follows", error: "price is no number", lag: .milliseconds(1_200), age: .seconds(9)),
        trouble: .init(reason: "the source 'shop' follows: price is no number", age: .seconds(61)))

    @Test func `A source in trouble has its reason and since when in a line of its own`() {
        let till = FollowedSource(name: "till", report: .init(state: "copies", age: .seconds(20)))
        #expect(
            SourceHealth.known([Self.failing, till]).lines(now: 1_000) == [
                "source shop: at 16/B3, moved 1 minute ago, follows, 1,200 ms behind",
                "  for 1 minute: the source 'shop' follows: price is no number",
                "source till: no position yet, copies (20 seconds ago)",
            ])
    }

    @Test func `Programs get all of it, and the reason where the server can't say`() throws {
        let documents = try #require(SourceHealth.known([Self.failing]).documents)
        #expect(
            documents.line() == """
                [{"error":"price is no number","lagMilliseconds":1200,"moved":880.5,"position":"16/B3",\
                "reportAgeMilliseconds":9000,"source":"shop","state":"follows",\
                "trouble":"the source 'shop' follows: price is no number","troubleMilliseconds":61000}]
                """)
        #expect(SourceHealth.known([]).documents == nil && SourceHealth.known([]).error == nil)
        let unknown = SourceHealth.unknown("no server\u{1B}")
        #expect(unknown.documents == nil && unknown.error == .string("no server\u{1B}"))
        #expect(unknown.lines(now: 0) == [Sanitizer.line("sources: unknown: no server\u{1B}")])
    }
}
