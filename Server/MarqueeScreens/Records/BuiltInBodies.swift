import MarqueeTypes
import MarqueeWire

/// The messages of Marquee's own kinds, as an operator's descriptor set would hold them.
enum BuiltInBodies {
    static let schema: DescriptorSet = {
        let messages = BodySchema.messages
        let places = Dictionary(uniqueKeysWithValues: messages.enumerated().map { ($1.fullName, $0) })
        let linked = messages.map { message in
            MessageDescriptor(
                fullName: message.fullName, file: "marquee.proto",
                fields: message.fields.compactMap { FieldDescriptor($0, places) })
        }
        return DescriptorSet(messages: linked, enumerations: [])
    }()
}

extension FieldDescriptor {
    /// - Parameter places: of messages, by their full names.
    fileprivate init?(_ field: BodySchema.Field, _ places: [String: Int]) {
        let type: ValueType
        switch field.type {
        case .scalar(let number):
            guard let scalar = ScalarType(rawValue: number) else { return nil }
            type = .scalar(scalar)
        case .message(let name):
            guard let place = places[name] else { return nil }
            type = .message(place)
        }
        self.init(
            name: field.name, number: field.number, type: type, cardinality: field.isRepeated ? .repeated : .single,
            presence: field.isRepeated ? .implicit : .explicit, isPacked: field.isPacked)
    }
}
