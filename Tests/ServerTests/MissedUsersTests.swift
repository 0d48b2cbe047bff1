import Testing

@testable import MarqueeServer

/// The order in which users' logs are read if moves may have been missed.
@Suite struct MissedUsersTests {
    private let crowd = Set((1...100).map { "user/\($0)" })

    @Test func `A crowd of users is read a few at a time, and each user once`() {
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

    @Test func `A user being read is read again, and a waiting user isn't read twice`() {
        var missed = MissedUsers()
        let first = missed.add(crowd)
        #expect(first.count == MissedUsers.atOnce)
        #expect(missed.add(crowd) == first)
        var read = first
        for user in first { read.formUnion(missed.done(user)) }
        #expect(read.count == 2 * MissedUsers.atOnce)
    }

    @Test func `A user read for another reason takes no other user's place`() {
        var missed = MissedUsers()
        _ = missed.add(crowd)
        #expect(missed.done("jun").isEmpty)
        #expect(missed.add(["jun"]).isEmpty, "all places are taken")
    }
}
