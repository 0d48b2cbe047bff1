package import MarqueeModel
package import MarqueeScreens
package import MarqueeStore
package import MarqueeWire

extension ReportRequest {
    /// The observations to store, with what the server knows about the reader now.
    /// - Parameters:
    ///   - programme: says which observations are counted.
    ///   - revision: the catalogue's revision that this server shows.
    /// - Throws: if the programme doesn't ask for one of them: nothing is stored that nobody asked for.
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
