import Testing

@testable import MarqueeServer

@Suite struct CoalescedJobsTests {
    @Test func `A job requested many times runs once more`() {
        var jobs = CoalescedJobs<String>()
        #expect(jobs.ask("log") == true)
        for _ in 0..<100 { #expect(jobs.ask("log") == false) }
        #expect(jobs.done("log") == true, "it may have read before the last of them")
        #expect(jobs.done("log") == false)
        #expect(jobs.count == 0)
        #expect(jobs.ask("log") == true)
    }

    @Test func `Retries don't multiply`() {
        var jobs = CoalescedJobs<String>()
        var retries = 0
        #expect(jobs.ask("log") == true)
        for _ in 0..<50 {
            _ = jobs.failed("log", "gone")
            retries += 1
            for _ in 0..<10 where jobs.ask("log") { retries += 1 }
            jobs.retry("log")
            for _ in 0..<10 { #expect(jobs.ask("log") == false) }
        }
        #expect(retries == 50)
        #expect(jobs.count == 1)
        #expect(jobs.done("log") == true)
        #expect(jobs.done("log") == false)
        #expect(jobs.count == 0)
    }

    @Test func `A reason is new once, until the job succeeds`() {
        var jobs = CoalescedJobs<String>()
        func fails(_ reason: String) -> Bool {
            _ = jobs.ask("log")
            defer { jobs.retry("log") }
            return jobs.failed("log", reason)
        }
        #expect(fails("gone"))
        #expect(!fails("gone"))
        #expect(fails("damaged"))
        #expect(jobs.done("log") == false)
        #expect(fails("damaged"))
    }

    @Test func `One job doesn't hold up another`() {
        var jobs = CoalescedJobs<String>()
        #expect(jobs.ask("ana") == true)
        _ = jobs.failed("ana", "gone")
        #expect(jobs.ask("ben") == true)
        #expect(jobs.done("ben") == false)
    }
}
