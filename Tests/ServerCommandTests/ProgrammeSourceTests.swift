import MarqueeScreens
import MarqueeStore
import Testing

@testable import marquee_server

struct ProgrammeSourceTests {
    @Test func `The built-in programme is valid and has the screens every client knows`() throws {
        let families = try ProgrammeSource.builtIn().programme.screens.map(\.family)
        #expect(Set(["home", "detail", "genre", "favorites"]).isSubset(of: families))
    }

    @Test func `A stored programme is served`() throws {
        let store = MemoryStore()
        #expect(try ProgrammeSource.stored(in: store, folder: "d") == nil)
        let text = try ProgrammeSource.builtIn().text + "\n# changed\n"
        _ = try store.write([.catalogue(key: nil, changes: [.programme(text)], mutation: nil)])
        #expect(try ProgrammeSource.stored(in: store, folder: "d")?.text == text)
    }

    @Test func `An unreadable stored programme suggests what to do`() throws {
        let store = MemoryStore()
        _ = try store.write([.catalogue(key: nil, changes: [.programme("nonsense: 1\n")], mutation: nil)])
        let failure = try #require(throws: CommandFailure.self) { try ProgrammeSource.stored(in: store, folder: "d") }
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
