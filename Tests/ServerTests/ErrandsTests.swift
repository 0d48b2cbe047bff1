import Testing

@testable import MarqueeServer

@Suite struct ErrandsTests {
    @Test func whatIsAskedForManyTimesIsDoneOnceMore() {
        var errands = Errands<String>()
        #expect(errands.ask("log") == true)
        for _ in 0..<100 { #expect(errands.ask("log") == false) }
        #expect(errands.done("log") == true, "it may have read before the last of them")
        #expect(errands.done("log") == false)
        #expect(errands.count == 0)
        #expect(errands.ask("log") == true)
    }

    @Test func retriesDontMultiply() {
        var errands = Errands<String>()
        var retries = 0
        #expect(errands.ask("log") == true)
        for _ in 0..<50 {
            errands.failed("log")
            retries += 1
            for _ in 0..<10 where errands.ask("log") { retries += 1 }
            errands.retry("log")
            for _ in 0..<10 { #expect(errands.ask("log") == false) }
        }
        #expect(retries == 50)
        #expect(errands.count == 1)
        #expect(errands.done("log") == true)
        #expect(errands.done("log") == false)
        #expect(errands.count == 0)
    }

    @Test func oneDoesNotHoldUpAnother() {
        var errands = Errands<String>()
        #expect(errands.ask("ana") == true)
        errands.failed("ana")
        #expect(errands.ask("ben") == true)
        #expect(errands.done("ben") == false)
    }
}
