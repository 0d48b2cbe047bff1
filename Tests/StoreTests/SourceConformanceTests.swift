import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import Testing

/// How every engine stores the positions of sources, in the commits of their changes.
@Suite struct SourceConformanceTests {
    private static func move(_ position: String?, from expected: String?, at time: Int64 = 1) -> Change {
        .source(SourcePosition("shop", at: position, expecting: expected, moved: Moment(milliseconds: time)))
    }

    @Test(arguments: EngineKind.allCases)
    func `A source moves with the changes of its commit, or neither does`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types)
            #expect(try store.sources() == [])
            #expect(
                try store.commit(Self.move("1", from: nil), .episode("1")) == .done(revision: 2, changed: true))
            #expect(
                try store.commit(Self.move("2", from: nil), .episode("2"))
                    == .elsewhere(source: "shop", stored: "1", expected: nil))
            #expect(
                try store.commit(Self.move("3", from: "2"), .episode("2"))
                    == .elsewhere(source: "shop", stored: "1", expected: "2"))
            guard case .refused(let reason) = try store.commit(Self.move("2", from: "1"), .removePage("a/b")) else {
                Issue.record("a bad change is committed")
                return
            }
            #expect(reason.hasPrefix("change 1: "), "the move is none of the publisher's documents: \(reason)")
            #expect(try store.sources().map(\.position) == ["1"])
            #expect(try store.records(ofType: "episode", after: nil, limit: 9).map(\.id) == ["1"])
            let log = try store.commits(after: 1, limit: 9).map(\.changes)
            #expect(
                log.first?.first
                    == .source(SourcePosition("shop", at: "1", moved: Moment(milliseconds: 1))),
                "what was expected is not part of the log")
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A move can leave a source where it is, and then makes no commit`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            #expect(try store.commit(Self.move(nil, from: nil)) == .done(revision: 0, changed: false))
            try store.commit(Self.move("1", from: nil))
            #expect(try store.commit(Self.move(nil, from: "1")) == .done(revision: 1, changed: false))
            #expect(try store.commit(Self.move("1", from: "1", at: 9)) == .done(revision: 1, changed: false))
            #expect(
                try store.commit(Self.move(nil, from: "0"))
                    == .elsewhere(source: "shop", stored: "1", expected: "0"))
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `A move that is sent again takes effect once`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit(Sample.types)
            func send(at time: Int64) throws -> StoreOutcome? {
                try store.commit([Self.move("1", from: nil, at: time), .episode("1")], key: "k", mutation: .of(1, 1))
            }
            #expect(try send(at: 1) == .done(revision: 2, changed: true))
            #expect(try send(at: 2) == .repeated(revision: 2, changed: true), "another time is no other mutation")
            #expect(try store.sources().map(\.moved) == [Moment(milliseconds: 1)])
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Sources have names of their own, and bounds`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            for name in ["till", "shop", "sho"] {
                try store.commit(.source(SourcePosition(name, at: "at \(name)")))
            }
            #expect(try store.sources().map(\.source) == ["sho", "shop", "till"])
            #expect(try store.sources().map(\.position) == ["at sho", "at shop", "at till"])
            for (name, position) in [("", "1"), ("a\nb", "1"), ("x", ""), ("x", String(repeating: "1", count: 257))] {
                guard case .refused = try store.commit(.source(SourcePosition(name, at: position))) else {
                    Issue.record("'\(name)' at '\(position)' is accepted")
                    continue
                }
            }
        }
    }

    @Test(arguments: EngineKind.allCases)
    func `Records of a type are read by the bytes of their ids`(_ kind: EngineKind) throws {
        try kind.withStore { store throws in
            try store.commit([Sample.types] + ["b", "a", "é", "z", "Z"].map { .episode($0) } + [.show("c", [:])])
            let all = try store.records(ofType: "episode", after: nil, limit: 9)
            #expect(all.map(\.id) == ["Z", "a", "b", "z", "é"])
            #expect(try store.records(ofType: "episode", after: "a", limit: 2).map(\.id) == ["b", "z"])
            #expect(try store.records(ofType: "nothing", after: nil, limit: 9) == [])
            let put = try store.snapshotChanges().compactMap { change in
                if case .put(let id, .bytes(let bytes)) = change, id == .episode("Z") { bytes } else { nil }
            }
            #expect(all.prefix(1).map(\.bytes) == put)
        }
    }
}
