import Foundation
import MarqueeMirror
import Testing

@testable import MarqueeClient

@Suite("The mirror that nobody named a file for")
struct StandardMirrorTests {
    @Test func `It is a file by host, port and user, in the system's folder`() throws {
        let path = try StandardMirror.path(in: "/data", host: "Films.example", port: 7_420, user: "mi/na")
        #expect(path == "/data/marquee/films.example_7420/mi%2Fna.sqlite")
        #expect(try StandardMirror.path(in: "/data", host: "h", port: 1, user: nil) == "/data/marquee/h_1/-.sqlite")
    }

    @Test(
        arguments: [
            (["XDG_DATA_HOME": "/x", "HOME": "/h"], "/x"), (["XDG_DATA_HOME": "x", "HOME": "/h"], "/h/.local/share"),
            (["HOME": "/h"], "/h/.local/share"), ([:], nil),
        ] as [([String: String], String?)])
    func `Its folder follows the variable, then the home`(_ environment: [String: String], _ folder: String?) {
        let found = try? StandardMirror.folder(environment, variable: "XDG_DATA_HOME", inHome: ".local/share")
        #expect(found == folder)
    }

    @Test func `Without a name for it, a client keeps one; a name too long for a file is an error that says so`() async
    {
        let configuration = ClientConfiguration(host: "films.example", user: String(repeating: "x", count: 300))
        #expect(configuration.mirror == .standard)
        let error = await #expect(throws: ClientError.self) { try await MarqueeClient.open(configuration) }
        #expect(error?.code == .limit)
    }
}
