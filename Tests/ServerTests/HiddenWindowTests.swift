import MarqueeModel
import MarqueeScreens
import MarqueeWire
import Testing

@testable import MarqueeServer

/// Windows anywhere in lists that depend on a reader's collections.
@Suite struct HiddenWindowTests {
    private static let programme = """
        locales: [en]
        screens:
          home:
            title: Home
            sections:
              - id: rest
                kind: list
                windows: anywhere
                source: {records: {type: movie, where: {id: {not-in: favorites}}, sort: title}}
        """

    private static func items(_ user: String, in world: HubWorld) throws -> [String] {
        try world.view("home", user: user).sections[0].current.version.items.map(\.id)
    }

    @Test func `Readers' windows without what they have hidden have contents of their own`() throws {
        let world = try HubWorld(programme: Self.programme)
        try world.favor("ana", ["movie/1", "movie/3"])
        try world.favor("ben", ["movie/4"])
        #expect(try Self.items("ana", in: world) == ["movie/2", "movie/4"])
        #expect(try Self.items("ben", in: world) == ["movie/1", "movie/2", "movie/3"])
        try world.favorite("ana", "movie/2")
        #expect(try Self.items("ana", in: world) == ["movie/4"])
        #expect(try Self.items("ben", in: world) == ["movie/1", "movie/2", "movie/3"])
    }
}
