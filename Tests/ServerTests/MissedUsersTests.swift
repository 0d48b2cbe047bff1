import Testing

@testable import MarqueeServer

/// The order in which users' logs are read of which moves may have been missed.
@Suite struct MissedUsersTests {
    private let crowd = Set((1...100).map { "user/\($0)" })

    @Test func `Of a crowd, a few are read at a time, and everybody once`() {
        var missed = MissedUsers()
        var reading = missed.add(crowd)
        var read: [String] = []
        while let user = reading.popFirst() {
            #expect(reading.count < MissedUsers.atOnce)
            read.append(user)
            reading.formUnion(missed.done(user))
        }
        #expect(read.count == crowd.count)
        #expect(Set(read) == crowd)
    }

    @Test func `Whoever is being read is read again, and whoever waits is not read twice`() {
        var missed = MissedUsers()
        let first = missed.add(crowd)
        #expect(first.count == MissedUsers.atOnce)
        #expect(missed.add(crowd) == first)
        var read = first
        for user in first { read.formUnion(missed.done(user)) }
        #expect(read.count == 2 * MissedUsers.atOnce)
    }

    @Test func `Users who are read for other reasons take nobody's place`() {
        var missed = MissedUsers()
        _ = missed.add(crowd)
        #expect(missed.done("jun").isEmpty)
        #expect(missed.add(["jun"]).isEmpty, "all places are taken")
    }
}
