import Testing

@testable import MarqueeServer

@Suite struct GrownLogTests {
    @Test func `A growing log is reported once it is large, whenever it doubles, and anew after it was small`() {
        var log = GrownLog()
        let large = GrownLog.large
        func isNews(_ bytes: Int) -> Bool { log.isNews(bytes) }
        #expect(!isNews(large - 1))
        #expect(isNews(large))
        #expect(!isNews(large))
        #expect(!isNews(2 * large - 1))
        #expect(isNews(2 * large))
        #expect(!isNews(large))
        #expect(!isNews(large / 4))
        #expect(isNews(large))
    }
}
