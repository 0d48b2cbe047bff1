import Testing

@testable import MarqueeServer

/// Which jobs run after news from a store.
@Suite struct HubJobsTests {
    private let crowd = Set((1...100).map { "user/\($0)" })

    @Test func `A job that is asked for while it runs runs once more`() {
        var jobs = HubJobs()
        #expect(jobs.ask(.catalogue) == true)
        #expect(jobs.ask(.catalogue) == false)
        #expect(jobs.ask(.catalogue) == false)
        #expect(jobs.ended(.catalogue) == [.catalogue])
        #expect(jobs.ended(.catalogue).isEmpty)
        #expect(jobs.ask(.catalogue) == true)
    }

    @Test func `Of a crowd whose moves were missed, one more user is read whenever one has been read`() {
        var jobs = HubJobs()
        var running = jobs.missed(crowd)
        #expect(running.count == MissedUsers.atOnce)
        var read: Set<HubJobs.Job> = []
        while let job = running.popLast() {
            read.insert(job)
            running += jobs.ended(job)
        }
        #expect(read == Set(crowd.map { .user($0) }))
    }

    @Test func `A user whose job runs isn't read by a second one`() {
        var jobs = HubJobs()
        #expect(jobs.ask(.user("jun")) == true)
        #expect(jobs.missed(["jun"]).isEmpty)
        #expect(jobs.ended(.user("jun")) == [.user("jun")], "the read under way may be older than what was missed")
        #expect(jobs.ended(.user("jun")).isEmpty)
    }

    @Test func `A job that fails is retried, and each of its reasons is news once`() {
        var jobs = HubJobs()
        #expect(jobs.ask(.catalogue) == true)
        #expect(jobs.failed(.catalogue, "a") == true)
        #expect(jobs.ask(.catalogue) == false, "it waits for its retry")
        jobs.retry(.catalogue)
        #expect(jobs.failed(.catalogue, "a") == false)
        jobs.retry(.catalogue)
        #expect(jobs.failed(.catalogue, "b") == true)
    }
}
