import Dispatch
import Logging
import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeWire
import NIOPosix
import Testing

@testable import MarqueeServer

@Suite struct PreviewTurnTests {
    @Test(.timeLimit(.minutes(5)))
    func `A preview is of the screens when its turn comes, not of those when it was submitted`() async throws {
        let world = try HubWorld()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let logger = Logger(label: "test")
        let source = HubSource(
            store: world.store, programme: try HubWorld.parse(HubWorld.programme),
            logger: logger, hits: LimitHits(logger: logger), hubLoop: group.next(), clock: { 0 })
        let (revisions, published) = AsyncStream.makeStream(of: UInt64.self)
        _ = try await source.begin(
            VersionLibrary(), variantLimit: 64,
            for: Audience(publish: { published.yield($0.catalogueRevision) }, users: { [] }))

        let gate = DispatchSemaphore(value: 0)
        source.lanes.previewing.submit(for: HubSource.itself) { gate.wait() }
        let (previews, answered) = AsyncStream.makeStream(of: Result<PublicationPreview, Status>.self)
        source.preview(
            [Array(#"{"put": {"type": "movie", "id": "9", "record": {"id": 9, "genres": [1]}}}"#.utf8)],
            by: Identity(user: nil, scopes: .everything), of: GetScreenRequest(screen: "home"), for: 7
        ) { answered.yield($0) }
        try world.write(world.movie(8, genre: 1))
        for await revision in revisions where revision == 5 { break }
        gate.signal()

        for await result in previews {
            let states = try result.get().states
            #expect(states.before.cut.catalogueRevision == 5)
            #expect(states.after.cut.catalogueRevision == 6)
            break
        }
        await source.finish()
        source.stop()
        try await group.shutdownGracefully()
    }
}
