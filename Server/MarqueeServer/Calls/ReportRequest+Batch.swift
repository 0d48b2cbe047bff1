package import MarqueeModel
package import MarqueeScreens
package import MarqueeStore
package import MarqueeWire

extension ReportRequest {
    /// The observations to keep, with what the server knows of the reader now.
    /// - Parameters:
    ///   - programme: says what is counted.
    ///   - revision: the catalogue's, as it is shown here.
    /// - Throws: unless all of them are asked for: what nobody asks for is kept by nobody.
    package func batch(
        by identity: Identity, _ programme: Programme, revision: UInt64
    ) throws(Status) -> ObservationBatch {
        let counting = programme.counting(of: section, on: screen)
        if let kind = observations.lazy.map(\.kind).first(where: { counting?.asks(for: $0) != true }) {
            throw Status(
                .failedPrecondition, reason: "NOT_ASKED", remedy: .fatal,
                message: "the programme doesn't ask what is \(kind == .seen ? "seen" : "tapped") in "
                    + "'\(section.prefix(64))' of '\(screen.prefix(64))'")
        }
        return ObservationBatch(
            screen: screen, section: section, observations: observations, user: identity.user,
            namesUser: programme.namesReaders,
            audiences: programme.audiences(of: screen, claims: identity.claims, user: identity.user),
            revision: revision)
    }
}
