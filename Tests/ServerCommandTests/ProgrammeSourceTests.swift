import MarqueeScreens
import MarqueeStore
import Testing

@testable import marquee_server

struct ProgrammeSourceTests {
    @Test func `A server that was given no programme says so on its home`() throws {
        let screens = try ProgrammeSource.builtIn().programme.screens
        #expect(screens.map(\.family) == ["home"])
        guard case .items(let items)? = screens.first?.sections.first?.source else {
            Issue.record("a home without a card")
            return
        }
        #expect(items.map(\.id) == ["welcome"])
    }

    @Test func `A stored programme is served`() throws {
        let store = MemoryStore()
        #expect(try ProgrammeSource.stored(in: store, at: .folder("d")) == nil)
        let text = "screens:\n  home:\n    title: Home\n    sections: [{id: saved, kind: list, source: favorites}]\n"
        _ = try store.write([.catalogue(key: nil, changes: [.programme(text)], mutation: nil)])
        #expect(try ProgrammeSource.stored(in: store, at: .folder("d"))?.text == text)
    }

    @Test func `An unreadable stored programme suggests what to do`() throws {
        let store = MemoryStore()
        _ = try store.write([.catalogue(key: nil, changes: [.programme("nonsense: 1\n")], mutation: nil)])
        let failure = try #require(throws: CommandFailure.self) {
            try ProgrammeSource.stored(in: store, at: .folder("d"))
        }
        #expect(failure.code == .configuration)
        #expect(failure.message.contains("--programme"))
    }

    @Test func `A nonexistent file is missing input`() throws {
        let failure = try #require(throws: CommandFailure.self) {
            try ProgrammeSource(file: "/nonexistent/programme.yaml", wrong: .badData)
        }
        #expect(
            failure == CommandFailure(.noInput, "/nonexistent/programme.yaml can't be read: No such file or directory"))
    }

    @Test func `A folder isn't a programme`() throws {
        let failure = try #require(throws: CommandFailure.self) { try ProgrammeSource(file: "/", wrong: .badData) }
        #expect(failure.code == .noInput)
    }
}
