package import MarqueeModel

/// A member of a collection of one user.
package struct StoredMember: Hashable, Sendable {
    package var collection: CollectionName
    package var subject: String
    /// Canonical bytes; empty where the collection keeps no values, and for a value's default.
    package var value: [UInt8]
    /// The user's revision at which it was set.
    package var revision: UInt64

    package init(
        collection: CollectionName = .favorites, subject: String, value: [UInt8] = [], revision: UInt64
    ) {
        self.collection = collection
        self.subject = subject
        self.value = value
        self.revision = revision
    }

    package var name: MemberName { MemberName(collection: collection, subject: subject) }
}

/// Names a member among all collections of a user.
package struct MemberName: Hashable, Sendable {
    package var collection: CollectionName
    package var subject: String

    package init(collection: CollectionName, subject: String) {
        self.collection = collection
        self.subject = subject
    }
}

/// A user's change to one subject in one collection.
package struct MemberChange: Hashable, Sendable {
    package enum Effect: Hashable, Sendable {
        /// Makes the subject a member with this value, or gives a member this value.
        case set(value: [UInt8])
        case remove
    }

    package var collection: CollectionName
    package var subject: String
    package var effect: Effect

    package init(collection: CollectionName, subject: String, effect: Effect) {
        self.collection = collection
        self.subject = subject
        self.effect = effect
    }

    package static func favorite(_ subject: String, _ isSet: Bool) -> MemberChange {
        MemberChange(collection: .favorites, subject: subject, effect: isSet ? .set(value: []) : .remove)
    }

    package var name: MemberName { MemberName(collection: collection, subject: subject) }
}

/// One step of a user's log.
package struct MemberMove: Hashable, Sendable {
    package var change: MemberChange
    /// The user's revision after it.
    package var revision: UInt64

    package init(_ change: MemberChange, revision: UInt64) {
        self.change = change
        self.revision = revision
    }

    /// The member as this step left it; `nil` if the step removed it.
    package var member: StoredMember? {
        guard case .set(let value) = change.effect else { return nil }
        return StoredMember(
            collection: change.collection, subject: change.subject, value: value, revision: revision)
    }
}

extension StoreWrite {
    package static func favorite(user: String, subject: String, on: Bool, mutation: MutationID) -> StoreWrite {
        .member(user: user, .favorite(subject, on), mutation: mutation)
    }
}
