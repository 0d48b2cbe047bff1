import MarqueeClient
import MarqueeModel

/// How the program ends, in the numbers of sysexits.h. Documented in the help.
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

/// Why a command ends before its time: one line for the person, one number for the script.
struct Failure: Error, CustomStringConvertible {
    var status: ProgramExit
    var message: String

    init(_ status: ProgramExit, _ message: String) {
        self.status = status
        self.message = message
    }

    /// - Parameter mirror: the path of the mirror in use; named when the mirror is what is wrong.
    init(_ error: ClientError, mirror: String? = nil) {
        let status = ProgramExit(error)
        if let mirror, let refusal = error.status, ProgramExit.isAboutMirror(refusal) {
            self.init(status, "\(error.message), or move this one away: \(mirror)")
        } else if error.status?.reason == "UNKNOWN_SCREEN" {
            self.init(status, "\(error.message); `marquee screens` lists those there are")
        } else {
            self.init(status, error.message)
        }
    }

    var description: String { message }
}

extension ProgramExit {
    init(_ error: ClientError) {
        switch error.code {
        case .unavailable, .closed: self = .unavailable
        case .timeout: self = .tryAgain
        case .refused: self = error.status.map { ProgramExit($0) } ?? .protocolError
        case .mirrorInUse, .mirrorUnusable: self = .cantCreate
        case .noMirror: self = .noInput
        case .diskFull: self = .ioError
        case .userNeeded, .limit: self = .usage
        default: self = .protocolError
        }
    }

    /// What a server's refusal means to a script.
    init(_ status: Status) {
        switch status.code {
        case _ where ProgramExit.isAboutMirror(status): self = .cantCreate
        case .permissionDenied, .unauthenticated: self = .noPermission
        case .unavailable: self = .unavailable
        case .deadlineExceeded, .resourceExhausted, .aborted: self = .tryAgain
        default: self = .protocolError
        }
    }
    /// Whether the mirror was made with the data of another server, such as one whose folder was begun anew.
    static func isAboutMirror(_ status: Status) -> Bool { ["OTHER_CLUSTER", "OTHER_MIRROR"].contains(status.reason) }
}
