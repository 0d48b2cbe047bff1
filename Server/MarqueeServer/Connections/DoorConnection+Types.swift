package import MarqueeModel
package import MarqueeTypes

/// The types of records that a client may publish. It may not learn of any others.
package struct PublishableTypes: Sendable {
    /// In order of declaration.
    package let types: [TypeDeclaration]
    private let whole: TypeSet

    init(_ set: TypeSet, for identity: Identity) {
        whole = set
        types = set.types.filter { Authoriser.refusal(of: .publish($0.alias), to: identity) == nil }
    }

    /// The messages that these types consist of, and others.
    package var schema: DescriptorSet { whole.schema }
    /// The text that declares these types, and others.
    package var declaration: String { whole.declaration }
    /// The descriptor set that the declaration names.
    package var descriptors: [UInt8] { whole.descriptors }
}

extension DoorConnection {
    /// The current types that a client may publish; `nil` where they aren't known, as on a relay.
    package func types(publishableBy identity: Identity) -> PublishableTypes? {
        services.source.types.map { PublishableTypes($0, for: identity) }
    }

    /// Reserves room for an answer of this many bytes, for as long as the reservation exists.
    /// - Throws: the status to answer with if there is no room.
    package func roomForAnswer(_ bytes: Int) throws(Status) -> ByteBudget.Reservation {
        if let room = services.budgets.answers.reserve(bytes) { return room }
        services.hits.hit(.answers)
        throw .answersWait
    }
}
