package import MarqueeModel
package import MarqueeStore
package import MarqueeTypes
package import MarqueeWire

extension CollectionRequest {
    /// The change to store, validated against the current types.
    ///
    /// A collection takes records of the types that it lists; favorites without a declaration take records of all
    /// types. Any member can be removed.
    ///
    /// - Throws: `invalidArgument` for an unknown collection, a subject that it can't hold, or a value that it can't
    ///   take.
    package func change(by types: TypeSet?) throws(Status) -> MemberChange {
        let declared = types?.collection(collection.name)
        guard declared != nil || collection == .favorites else {
            let known = [CollectionName.favorites.name] + (types?.collections.map(\.name) ?? [])
            throw Self.refusal(
                "COLLECTION_UNKNOWN",
                "there is no collection '\(collection)'"
                    + (NearestName.suggestion(for: collection.name, among: known).map { "; did you mean '\($0)'?" }
                        ?? "; there are \(Set(known).sorted().joined(separator: ", "))"))
        }
        guard isMember else { return MemberChange(collection: collection, subject: subject, effect: .remove) }
        try checkSubject(declared, types)
        return MemberChange(collection: collection, subject: subject, effect: .set(value: try bytes(declared)))
    }

    private func checkSubject(_ declared: CollectionDeclaration?, _ types: TypeSet?) throws(Status) {
        guard let record = Subject(subject).record, types?.type(record.type) != nil else {
            throw declared.map(holdsNot) ?? Status.noMember(subject)
        }
        if let declared, !declared.types.contains(record.type) { throw holdsNot(declared) }
    }

    private func holdsNot(_ declared: CollectionDeclaration) -> Status {
        Self.refusal(
            "SUBJECT_INVALID",
            "'\(collection)' holds \(declared.types.map { "\($0)/<id>" }.joined(separator: ", ")), "
                + "not '\(subject.prefix(64))'")
    }

    private func bytes(_ declared: CollectionDeclaration?) throws(Status) -> [UInt8] {
        switch (declared?.value, value) {
        case (nil, nil): return []
        case (nil, _?): throw Self.refusal("VALUE_INVALID", "'\(collection)' keeps no value with a member")
        case (let type?, nil):
            throw Self.refusal("VALUE_INVALID", "'\(collection)' keeps a \(type.type) with a member; give one")
        case (let type?, let value?):
            do throws(RecordError) {
                return try type.bytes(json: Array(value.json.utf8))
            } catch {
                throw Self.refusal(
                    "VALUE_INVALID", "'\(collection)' keeps a \(type.type), not \(value.json.prefix(64)): \(error)")
            }
        }
    }

    private static func refusal(_ reason: String, _ message: String) -> Status {
        Status(.invalidArgument, reason: reason, remedy: .fatal, message: message)
    }
}

extension Status {
    static func noMember(_ subject: String) -> Status {
        Status(
            .invalidArgument, reason: "SUBJECT_INVALID", remedy: .fatal,
            message: "a member is '<type>/<id>' with a type of records, "
                + "not '\(subject.prefix(64))'")
    }
}
