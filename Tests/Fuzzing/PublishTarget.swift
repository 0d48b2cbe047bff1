import Foundation
import MarqueeCatalogue
import MarqueeModel
import MarqueeStore

extension FuzzTarget {
    /// Changes in JSON, one on each line, made in a catalogue of podcasts. A change survives being written; the log
    /// leads to what the store holds; and so does its snapshot.
    static let publish = FuzzTarget(name: "publish", maximumBytes: 8 << 10, seeds: PublishFuzzing.seeds) { bytes in
        let changes = bytes.split(separator: UInt8(ascii: "\n")).compactMap { PublishFuzzing.change(Array($0)) }
        PublishFuzzing.judge(changes)
    }
}

private enum PublishFuzzing {
    private static let empty = MemoryStore(seed: 1, clock: { 0 })
    private static let start = FuzzServer.reading { () throws(StoreError) in try PodcastWorld.store.catalogueHead() }

    static func change(_ json: [UInt8]) -> Change? {
        guard let change = try? Change(document: Array(json)) else { return nil }
        // A number may be beyond what JSON can express again, which the store refuses as well.
        guard let document = try? change.document() else { return change }
        guard let again = try? Change(document: Array(document)) else {
            fatalError("a change that was written can be read: \(String(decoding: document, as: UTF8.self))")
        }
        require(again == change, "a change survives being written")
        require((try? again.document()) == document, "equal changes give equal bytes")
        return change
    }

    static func judge(_ changes: [Change]) {
        let store = PodcastWorld.copy()
        for change in changes {
            let before = head(store)
            let outcome = commit([change], to: store)
            let after = head(store)
            switch outcome {
            case .done(let revision, let changed):
                require(revision == after && after == before + (changed ? 1 : 0), "a commit is one revision")
                // It is as it should be already.
                if case .done(_, true) = commit([change], to: store) { fatalError("twice: \(change)") }
            case .refused: require(after == before, "what is refused changes nothing")
            default: fatalError("\(outcome)")
            }
        }
        judgeLog(of: store)
    }

    private static func judgeLog(of store: MemoryStore) {
        let replayed = PodcastWorld.copy()
        let commits = FuzzServer.reading { () throws(StoreError) in
            try store.commits(after: start.revision, limit: .max)
        }
        for entry in commits {
            guard case .done(entry.revision, true) = commit(entry.changes, to: replayed) else {
                fatalError("a logged commit can be made again: \(entry.changes)")
            }
        }
        let contents = content(of: store)
        require(content(of: replayed) == contents, "the log leads to what is stored")
        let rebuilt = FuzzServer.reading { () throws(StoreError) in try MemoryStore(restoring: empty, seed: 3) }
        // The whole at once, as an import of an export makes it.
        if case .refused(let reason) = commit(contents, to: rebuilt) { fatalError(reason) }
        require(content(of: rebuilt) == contents, "the snapshot leads to what is stored")
    }

    private static func head(_ store: MemoryStore) -> UInt64 {
        FuzzServer.reading { () throws(StoreError) in try store.catalogueHead().revision }
    }

    private static func commit(_ changes: [Change], to store: MemoryStore) -> StoreOutcome {
        FuzzServer.reading { () throws(StoreError) in
            try store.write([.catalogue(key: nil, changes: changes, mutation: nil)])[0]
        }
    }

    private static func content(of store: MemoryStore) -> [Change] {
        var changes: [Change] = []
        FuzzServer.reading { () throws(StoreError) in _ = try store.snapshot { changes.append($0) } }
        return changes
    }

    @Sendable static func seeds() throws -> [[UInt8]] {
        var seeds: [[UInt8]] = []
        for sample in ["podcasts", "catalogue", "conference", "league"] {
            let lines = try RepositoryFiles.lines("Samples/\(sample)/catalogue.ndjson").filter { $0.count < 2_000 }
            // Lines of many kinds: they are sorted by kind in the samples.
            for line in stride(from: 0, to: lines.count, by: max(1, lines.count / 8)) {
                seeds.append(Array(lines[line..<min(line + 3, lines.count)].joined(separator: [UInt8(ascii: "\n")])))
            }
        }
        let others = [
            #"{"merge": {"type": "show", "id": "s1", "record": {"followers": 5}, "clear": ["author"]}}"#,
            #"{"list": {"list": "top", "entries": [{"key": "a"}, {"key": "b", "record": "episode/e1"}]}}"#,
            #"{"listItem": {"list": "top", "item": {"key": "c"}, "at": 1}}"#,
            #"{"list": {"list": "days", "edition": "01", "entries": []}}"#,
            #"{"show": {"list": "days", "edition": "01"}}"#, #"{"removeList": {"list": "top"}}"#,
            #"{"choose": {"pool": "main", "entry": "a"}}"#, #"{"choose": {"pool": "main", "record": "episode/e1"}}"#,
            #"{"removeChoice": {"pool": "main"}}"#,
            #"{"page": {"id": "p", "sections": [{"id": "s", "type": "t", "title": "", "list": "top"}]}}"#,
            #"{"removePage": {"id": "p"}}"#, #"{"programme": "screens: {}"}"#,
            #"{"put": {"type": "show", "id": "x", "bytes": "CgF4"}}"#, #"{"remove": {"type": "show", "id": "s1"}}"#,
        ]
        seeds += others.map { Array($0.utf8) }
        seeds.append(Array(others.joined(separator: "\n").utf8))
        return seeds
    }
}
