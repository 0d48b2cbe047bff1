import MarqueeClient
import MarqueeModel

/// How the program ends, as numbers from sysexits.h. The help lists them.
enum ProgramExit: Int32 {
    case ok = 0
    case usage = 64
    case dataError = 65
    case noInput = 66
    case unavailable = 69
    case cantCreate = 73
    case ioError = 74
    case tryAgain = 75
    case protocolError = 76
    case noPermission = 77
    case interrupted = 130
    case terminated = 143
}

/// Why a command gave up: one line for the person, one number for the script.
struct Failure: Error, CustomStringConvertible {
    var status: ProgramExit
    var message: String

    init(_ status: ProgramExit, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Combines the server's message with its code by name.
    /// - Parameter mirror: the path of the mirror in use; named when the mirror is what is wrong.
    init(_ error: ClientError, mirror: String? = nil) {
        var message = error.message
        if let mirror, [.mirrorOfAnotherServer, .mirrorOfAnotherUser].contains(error.code) {
            message += ", or move this one away: \(mirror)"
        } else if error.status?.reason == "UNKNOWN_SCREEN" {
            message += "; `marquee screens` lists the screens"
        }
        if let code = error.status?.code { message += " (\(code.name))" }
        self.init(ProgramExit(error), message)
    }

    /// The same words and number wherever a section is not found.
    static func unknownSection(_ section: String, of screen: ScreenID, known: [String]) -> Failure {
        let names = known.isEmpty ? "none" : known.joined(separator: ", ")
        return Failure(.usage, "'\(screen.name)' has no section '\(section)'; it has \(names)")
    }

    var description: String { message }
}

extension ProgramExit {
    init(_ error: ClientError) {
        if let status = error.status {
            self = ProgramExit(status)
            return
        }
        switch error.code {
        case .unavailable, .tokenUnavailable, .closed, .insecure: self = .unavailable
        case .timeout, .busy: self = .tryAgain
        case .mirrorInUse, .mirrorUnusable, .mirrorDamaged, .notAMirror: self = .cantCreate
        case .mirrorOfAnotherUser, .mirrorOfAnotherServer: self = .cantCreate
        case .noMirror, .notStored: self = .noInput
        case .diskFull: self = .ioError
        case .notSignedIn, .limit, .unknownOptions: self = .usage
        case .tokenRefused: self = .noPermission
        default: self = .protocolError
        }
    }

    /// Creates the exit status that tells a script of a server's refusal.
    init(_ status: Status) {
        switch status.code {
        case _ where ProgramExit.isAboutMirror(status): self = .cantCreate
        // A section or sort that doesn't exist is a mistake in the command, even if the server finds it.
        case _ where ["UNKNOWN_SECTION", "UNKNOWN_SORT", "REPEATED_SECTION"].contains(status.reason): self = .usage
        case .permissionDenied, .unauthenticated: self = .noPermission
        case .unavailable: self = .unavailable
        case .deadlineExceeded, .resourceExhausted, .aborted: self = .tryAgain
        default: self = .protocolError
        }
    }

    /// Whether the mirror holds another server's data, for example because the server's data folder was recreated.
    static func isAboutMirror(_ status: Status) -> Bool { status.reason == "OTHER_CLUSTER" }
}
