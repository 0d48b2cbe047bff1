/// The reason why the program fails.
struct CommandFailure: Error, Hashable {
    /// The exit code of the process: numbers from sysexits.h, so that scripts can tell failures apart.
    enum Code: Int32, CaseIterable {
        case usage = 64
        case badData = 65
        case noInput = 66
        case unavailable = 69
        case system = 71
        case cannotCreate = 73
        case inputOutput = 74
        case temporary = 75
        case noPermission = 77
        case configuration = 78

        var meaning: String {
            switch self {
            case .usage: "wrong arguments"
            case .badData:
                "the file given holds nothing usable, the data folder is damaged, or a database has lost commits"
            case .noInput: "a file, folder or list doesn't exist or can't be read"
            case .unavailable:
                "the port is in use or the address isn't this machine's, or no server or database answers"
            case .system: "the system refused something else"
            case .cannotCreate: "a file or store is in the way, or the data folder belongs to another program"
            case .inputOutput: "reading or writing failed, the disk is full, or the data folder went away"
            case .temporary:
                "another process has the data folder or a file open, or a server can't store something now"
            case .noPermission: "permission is missing for a file, the data folder, the port, or to publish"
            case .configuration: "the programme, certificate or tokens to serve with are wrong"
            }
        }

        /// A signal during work, or a second one while a server shuts down.
        static let interrupted: Int32 = 130

        /// The exit codes, for the help page.
        static var explanation: String {
            let lines = allCases.map { "  \($0.rawValue)  \($0.meaning)" }
            return """
                Exit codes:
                  0   done
                \(lines.joined(separator: "\n"))
                  \(interrupted) ended by a signal before it was done
                """
        }
    }

    var code: Code
    /// One line for a person.
    var message: String
    /// Lines to print before it, verbatim: lines such as `programme.yaml:12: …`.
    var details: [String]
    /// Whether it may pass without any action here, such as a database that can't be reached: `serve` then waits.
    var passes = false

    init(_ code: Code, _ message: String, details: [String] = []) {
        self.code = code
        self.message = message
        self.details = details
    }
}
