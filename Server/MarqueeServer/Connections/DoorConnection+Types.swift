package import MarqueeModel
package import MarqueeTypes

/// The types of records that a client may publish. It may know no others.
package struct PublishableTypes: Sendable {
    /// In the order of their declaration.
    package let types: [TypeDeclaration]
    private let whole: TypeSet

    init(_ set: TypeSet, for identity: Identity) {
        whole = set
        types = set.types.filter { Authoriser.refusal(of: .publish($0.alias), to: identity) == nil }
    }

    /// The messages that they consist of, and others.
    package var schema: DescriptorSet { whole.schema }
    /// The text that declares them, and others.
    package var declaration: String { whole.declaration }
    /// The descriptor set that the declaration names.
    package var descriptors: [UInt8] { whole.descriptors }
}

extension DoorConnection {
    /// The types in force that a client may publish; `nil` where they aren't known, as on a relay.
    package func types(publishableBy identity: Identity) -> PublishableTypes? {
        services.source.types.map { PublishableTypes($0, for: identity) }
    }

    /// Keeps room for an answer of so many bytes, for as long as what is returned exists.
    /// - Throws: why there is none.
    package func roomForAnswer(_ bytes: Int) throws(Status) -> ByteBudget.Reservation {
        if let room = services.budgets.answers.reserve(bytes) { return room }
        services.hits.hit(.answers)
        throw .answersWait
    }
}
