package import MarqueeModel

/// Screens as other readers would see them, and at other moments. Used on copies, which are discarded afterwards.
extension Screens {
    /// Sets the catalogue's time to any moment, even an earlier one. Watched views and variants aren't updated.
    package mutating func travel(to moment: Moment) {
        catalogue.travel(to: moment)
        // Counts in cached items may have changed.
        maker.clear()
    }

    /// Returns the claims of an imagined reader.
    ///
    /// - Parameter texts: the reader's claims, such as `plan=free`, each value on its own, and audiences, such as
    ///   `audience=korea`, which the reader is in, whatever the claims.
    /// - Throws: `invalidArgument` for a text of another form, and for a claim or an audience that the programme
    ///   doesn't have.
    package func imagine(_ texts: [String]) throws(Status) -> Claims {
        let known = programme.screens.flatMap(\.audiences)
        let claims = Set(known.flatMap(\.claims))
        var values: [String: [String]] = [:]
        var audiences: Set<String> = []
        for text in texts {
            guard let claim = NamedValue(text), !claim.value.isEmpty else {
                throw .readerInvalid(
                    "'\(text.prefix(64))' says nothing about a reader; claims are given as plan=free, audiences as "
                        + "audience=NAME")
            }
            if claim.name == Self.audienceWord {
                guard known.contains(where: { $0.name == claim.value }) else {
                    throw .readerInvalid(
                        "nothing is for an audience '\(claim.value.prefix(64))'"
                            + NearestName.hint(for: claim.value, among: known.map(\.name)))
                }
                audiences.insert(claim.value)
            } else {
                guard claims.contains(claim.name) else {
                    throw .readerInvalid(
                        "no audience depends on the claim '\(claim.name.prefix(64))'"
                            + NearestName.hint(for: claim.name, among: claims.sorted() + [Self.audienceWord]))
                }
                values[claim.name, default: []].append(claim.value)
            }
        }
        return Claims(
            values.mapValues { $0.count == 1 ? Claims.Value(text: $0[0]) : Claims.Value(texts: $0) },
            audiences: audiences)
    }

    /// The audiences whose value a variant shows, of each of its section's lists of values by audience; an empty text
    /// stands for the value for everybody else.
    package func audiences(of key: VariantKey) -> [String] {
        guard let lists = programme.screen(named: key.screen)?.renditions[key.section]?.cases else { return [] }
        return key.rendition == .fallback ? lists.map { _ in "" } : key.rendition.audiences
    }

    private static let audienceWord = "audience"
}

extension Programme.Audience {
    /// The claims that it depends on.
    fileprivate var claims: [String] {
        conditions.compactMap { if case .claim(let name, _) = $0 { name } else { nil } }
    }
}

extension Status {
    fileprivate static func readerInvalid(_ message: String) -> Status {
        Status(.invalidArgument, reason: "READER_INVALID", remedy: .fatal, message: message)
    }
}
