import MarqueeClient

extension ServerAddress {
    /// Says why a server doesn't serve the client now: it can't be reached, or it can, and gives a reason.
    /// - Parameter then: what happens next, with a comma before it.
    func absence(_ error: ClientError, then: String = "") -> String {
        // Doubt about a welcome has the server's refusal as its cause.
        guard let said = [error, error.cause as? ClientError].compactMap({ $0?.status }).first else {
            let isAboutToken = [.tokenRefused, .tokenUnavailable].contains(error.code)
            return "\(isAboutToken ? "not connected to" : "can't reach") \(self)\(then): \(error.message)"
        }
        return "\(self) turns this client away for now\(then): \(said.message)"
    }
}
