import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

@testable import MarqueeScreens

@Suite struct ScreenPreviewTests {
    @Test func `A preview is right about each commit that a store makes, refuses or finds without effect`() throws {
        let types = try RandomRecords.types()
        let store = MemoryStore()
        _ = try store.write([.catalogue(key: nil, changes: [.types(types.document)], mutation: nil)])
        var screens = try Screens(store: store, programmeFallback: Programme(locales: ["en"], screens: []))
        var random = RandomRecords(seed: 20_261_128, types: types)
        var (made, refused, without) = (0, 0, 0)
        for _ in 0..<400 {
            var changes = try random.commit()
            if random.isOnce(in: 3), case .put(let id, let content)? = changes.first {
                changes[0] = .merge(id, content, clear: [], creates: random.isOnce(in: 2))
            }
            // Where the changes would be refused, the whole preview is.
            let preview = Result { () throws(Status) in try screens.after(changes) }
            let outcome = try store.write([.catalogue(key: nil, changes: changes, mutation: nil)]).first
            switch outcome {
            case .done(_, changed: true):
                made += 1
                let commit = try #require(store.commits(after: screens.head.revision, limit: 1).first)
                let effect = try CommitPlan.effect(of: changes, on: screens.catalogue, programmeCheck: nil)
                #expect(effect == commit.changes)
                #expect(try preview.get()?.head.revision == commit.revision)
                _ = try screens.apply(commit)
            case .done(_, changed: false):
                without += 1
                #expect(try preview.get() == nil)
            case .refused:
                refused += 1
                #expect(throws: Status.self) { try preview.get() }
            default: Issue.record("\(String(describing: outcome))")
            }
        }
        // Guards against a run in which hardly anything happens.
        #expect(made > 100)
        #expect(refused > 10)
        #expect(without > 10)
    }
}
