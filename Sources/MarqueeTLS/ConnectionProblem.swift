import Foundation
import NIOCore
import NIOPosix

/// The reason why a connection can't be made or was lost, in words for people.
package struct ConnectionProblem: CustomStringConvertible {
    package let description: String

    /// - Parameter error: of a connection over SwiftNIO's sockets, with or without TLS.
    package init(_ error: any Error) {
        if let error = error as? IOError {
            description = String(cString: strerror(error.errnoCode))
        } else if let problem = TLSProblem(error) {
            description = problem.description
        } else if let error = error as? NIOConnectionError {
            // Each address of a name is tried in turn.
            description =
                error.connectionErrors.last.map { Self($0.error).description } ?? "its name has no address"
        } else {
            description = "\(error)"
        }
    }
}
