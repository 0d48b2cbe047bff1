import Foundation
import MarqueeImport
import MarqueeServer
import MarqueeStore
import MarqueeTypes
import NIOCore

/// Turns errors of the libraries into one line and an exit code.
extension CommandFailure {
    /// - Parameter folder: the data folder in question.
    init(_ error: StoreError, folder: String) {
        let code: Code =
            switch error.code {
            case .ownedByOther: .temporary
            case .foreignFile: .cannotCreate
            case .missing: .noInput
            case .forbidden: .noPermission
            case .corrupt: .badData
            case .io where DataFolderAccess.isForbidden(folder): .noPermission
            default: .inputOutput
            }
        self.init(code, error.description)
    }

    init(_ error: StoreError, at place: StorePlace) {
        switch place {
        case .folder(let path): self.init(error, folder: path)
        case .database:
            let code: Code =
                switch error.code {
                case .foreignFile: .cannotCreate
                case .missing, .io: .unavailable
                case .forbidden: .noPermission
                case .corrupt, .lostCommits: .badData
                case .notDurable, .invalid: .configuration
                case .busy: .temporary
                default: .inputOutput
                }
            self.init(code, error.description)
            passes = [.io, .busy, .diskFull].contains(error.code)
        }
    }

    init(_ error: ImportError, at place: StorePlace) {
        if let cause = error.storeError {
            self.init(cause, at: place)
        } else {
            self.init(error.code == .noInput ? .noInput : .badData, error.message)
        }
    }

    /// - Parameters:
    ///   - name: what messages call the programme.
    ///   - code: `badData` for a programme being checked, `configuration` for one to be served.
    init(_ error: FileMistakes, in name: String, _ code: Code) {
        self.init(
            code, "\(name) has \(counted(error.mistakes.count, "problem"))", details: error.mistakes.map(\.description))
    }

    /// Says why a server can't listen on `address`, or on its address for the web.
    init(starting error: any Error, on address: ListenAddress) {
        guard let failure = error as? DoorFailure else {
            self.init(listening: error, on: address)
            return
        }
        self.init(
            listening: failure.cause, on: ListenAddress(host: failure.place.host, port: failure.place.port), by: "--web"
        )
    }

    /// Says why the server can't listen on `address`.
    /// - Parameter option: the option that sets the address.
    init(listening error: any Error, on address: ListenAddress, by option: String = "--listen") {
        guard let error = error as? IOError else {
            self.init(.unavailable, "\(address.host) is not an address of this machine")
            return
        }
        switch error.errnoCode {
        case EADDRINUSE:
            self.init(.unavailable, "port \(address.port) is in use; choose another with \(option)")
        case EACCES, EPERM:
            self.init(.noPermission, "no permission to listen on \(address)")
        case EADDRNOTAVAIL:
            self.init(.unavailable, "\(address.host) is not an address of this machine")
        default:
            self.init(.system, "can't listen on \(address): \(String(cString: strerror(error.errnoCode)))")
        }
    }
}
