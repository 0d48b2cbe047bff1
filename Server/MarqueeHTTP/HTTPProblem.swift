import MarqueeTLS
import NIOCore
import NIOHTTP1

/// The reason an address gave no answer, for people to read.
package struct HTTPProblem: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// - Parameter error: the error of an exchange with that address.
    init(_ error: any Error, at address: HTTPAddress) {
        let reason =
            switch error {
            case let problem as HTTPProblem: problem.description
            case HTTPParserError.invalidEOFState: HTTPProblem.cutOff.description
            case is HTTPParserError: "its answer is not HTTP"
            case is CancellationError: "the answer is no longer needed"
            default: ConnectionProblem(error).description
            }
        self.init("\(address) can't be read: \(reason)")
    }

    static let cutOff = HTTPProblem("the connection ended before the answer did")
}
