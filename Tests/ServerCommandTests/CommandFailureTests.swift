import Foundation
import MarqueeImport
import MarqueeScreens
import MarqueeServer
import MarqueeStore
import MarqueeTypes
import NIOCore
import Testing

@testable import marquee_server

struct CommandFailureTests {
    private let address = ListenAddress(host: "127.0.0.1", port: 80)

    @Test(arguments: [
        (StoreError.Code.ownedByOther, CommandFailure.Code.temporary), (.foreignFile, .cannotCreate),
        (.corrupt, .badData), (.diskFull, .inputOutput), (.notDurable, .inputOutput), (.io, .inputOutput),
    ])
    func `Each store error has its exit code`(code: StoreError.Code, expected: CommandFailure.Code) {
        let failure = CommandFailure(StoreError(code, "the reason"), folder: NSTemporaryDirectory())
        #expect(failure == CommandFailure(expected, "the reason"))
    }

    @Test func `A failed import says whose fault it was`() {
        let full = StoreError(.diskFull, "no room")
        #expect(CommandFailure(ImportError(.store, "m", storeError: full), at: .folder("d")).code == .inputOutput)
        #expect(CommandFailure(ImportError(.noInput, "m"), at: .folder("d")).code == .noInput)
        #expect(CommandFailure(ImportError(.wrongColumns, "m"), at: .folder("d")) == CommandFailure(.badData, "m"))
    }

    @Test func `A port in use suggests what to do`() {
        let failure = CommandFailure(listening: IOError(errnoCode: EADDRINUSE, reason: "bind"), on: address)
        #expect(failure == CommandFailure(.unavailable, "port 80 is in use; choose another with --listen"))
    }

    @Test func `A door that can't be opened is named by its own option`() {
        let cause = IOError(errnoCode: EADDRINUSE, reason: "bind")
        struct ClosedDoor: Door { func serve(_ connection: DoorConnection) {} }
        let place = DoorPlace(host: "127.0.0.1", port: 7_422, door: ClosedDoor())
        let failure = CommandFailure(starting: DoorFailure(place, cause: cause), on: address)
        #expect(failure == CommandFailure(.unavailable, "port 7422 is in use; choose another with --web"))
        #expect(
            CommandFailure(starting: cause, on: address)
                == CommandFailure(.unavailable, "port 80 is in use; choose another with --listen"))
    }

    @Test func `A privileged port is a permission error`() {
        let failure = CommandFailure(listening: IOError(errnoCode: EACCES, reason: "bind"), on: address)
        #expect(failure == CommandFailure(.noPermission, "no permission to listen on 127.0.0.1:80"))
    }

    @Test func `Every programme problem gets its own line`() throws {
        let errors = try #require(throws: FileMistakes.self) {
            try Programme.parse(text: "screens: 1\nnonsense: 2\n", file: "p.yaml")
        }
        let failure = CommandFailure(errors, in: "p.yaml", .configuration)
        #expect(failure.message == "p.yaml has 2 problems")
        #expect(failure.details.count == 2)
        #expect(failure.details.allSatisfy { $0.hasPrefix("p.yaml:") })
    }
}
