import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

/// Queries of records that are in one of the user's collections, or not in it.
@Suite struct MembershipTests {
    private let types: RecordTypes

    init() throws { types = try Podcasts.types() }

    private func episode(_ id: Int, plays: Int, minutes: Int = 10) throws -> Change {
        try types.put(
            "episode", "e\(id)", #"{"guid": "e\#(id)", "show": "s", "plays": \#(plays), "minutes": \#(minutes)}"#)
    }

    private func members(_ ids: [Int]) -> [StoredMember] {
        ids.map { StoredMember(subject: "episode/e\($0)", revision: UInt64($0)) }
    }

    /// Ten episodes, the first the most played, and a watched section for a user.
    private func screens(_ query: String, _ members: [StoredMember], episodes: Int = 10) throws -> Screens {
        let source = "{records: {type: episode, \(query)}}"
        var screens = try Screens(
            (1...episodes).map { try episode($0, plays: 1_000 - $0) } + [types.put("show", "s", #"{"slug": "s"}"#)],
            types: types,
            programme: "screens: {show/$id: {title: H, sections: [{id: a, kind: list, source: \(source)}]}}")
        let plan = try screens.plan(screen: "show/s", locale: nil, parameters: [], user: "ann")
        _ = try screens.watch(.section(plan.sections[0].variant), as: 1, members: members)
        return screens
    }

    private func shown(in screens: inout Screens) -> [String] {
        _ = screens.renew()
        return screens.sections[1]?.version.items.map { $0.id.replacing("episode/", with: "") } ?? []
    }

    private func favor(_ id: Int, _ isSet: Bool, in screens: inout Screens) {
        screens.moveMembers([MemberMove(.favorite("episode/e\(id)", isSet), revision: 100)], of: [1])
    }

    @Test func `Members that meet the conditions are shown in the query's order`() throws {
        let query = "where: {minutes: {below: 30}, show: $id, id: {in: favorites}}, sort: -plays, limit: 3"
        var screens = try screens(query, members([9, 2, 5, 77]) + [StoredMember(subject: "show/e3", revision: 1)])
        #expect(shown(in: &screens) == ["e2", "e5", "e9"])
        favor(7, true, in: &screens)
        #expect(shown(in: &screens) == ["e2", "e5", "e7"], "there is room for three")
        try screens.commit([episode(2, plays: 1)])
        #expect(shown(in: &screens) == ["e5", "e7", "e9"])
        try screens.commit([episode(5, plays: 5, minutes: 60), .remove("episode", "e9")])
        #expect(shown(in: &screens) == ["e7", "e2"])
        favor(7, false, in: &screens)
        try screens.commit([episode(77, plays: 3), episode(7, plays: 4)])
        #expect(shown(in: &screens) == ["e77", "e2"])
        #expect(screens.sections[1]?.key.user == "ann")
    }

    @Test func `Records of a collection are left out, and others take their place`() throws {
        var screens = try screens("where: {id: {not-in: favorites}}, sort: -plays, limit: 3", members([2, 9]))
        #expect(shown(in: &screens) == ["e1", "e3", "e4"])
        favor(1, true, in: &screens)
        #expect(shown(in: &screens) == ["e3", "e4", "e5"])
        favor(2, false, in: &screens)
        #expect(shown(in: &screens) == ["e2", "e3", "e4"])
        try screens.commit([episode(9, plays: 5_000), episode(10, plays: 4_000)])
        #expect(shown(in: &screens) == ["e10", "e2", "e3"])
    }

    @Test func `A section that depends on a collection is shown to users only`() throws {
        let screens = try screens("where: {id: {not-in: favorites}}", [])
        let refused = #expect(throws: Status.self) {
            try screens.plan(screen: "show/s", locale: nil, parameters: [], user: nil)
        }
        #expect(refused?.reason == "USER_REQUIRED")
    }

    @Test func `The cost of a change depends on the collection, and not on the number of records`() throws {
        var seen: [ScreenCounters] = []
        for count in [100, 400] {
            var screens = try screens(
                "where: {id: {in: favorites}}, sort: -plays, limit: 3", members([9, 2, 5]), episodes: count)
            let before = screens.counters
            try screens.commit([episode(50, plays: 5_000)])
            #expect(screens.renew().isEmpty)
            #expect(screens.counters.since(before) == ScreenCounters(), "there is no order, and it is no member")
            try screens.commit([episode(5, plays: 5_000)])
            #expect(shown(in: &screens) == ["e5", "e2", "e9"])
            seen.append(screens.counters.since(before))
        }
        #expect(seen[0] == seen[1])
    }
}
