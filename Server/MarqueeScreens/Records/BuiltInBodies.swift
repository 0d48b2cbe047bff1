import MarqueePresets
import MarqueeTypes
import MarqueeWire

/// The messages of Marquee's own kinds, in the form of an operator's descriptor set.
enum BuiltInBodies {
    static let schema: DescriptorSet = {
        let files = [("marquee.proto", BodySchema.messages), ("presets.proto", PresetSchema.messages)]
        let messages = files.flatMap { file, messages in messages.map { (file: file, message: $0) } }
        let places = Dictionary(uniqueKeysWithValues: messages.enumerated().map { ($1.message.fullName, $0) })
        let linked = messages.map { file, message in
            MessageDescriptor(
                fullName: message.fullName, file: file,
                fields: message.fields.compactMap { FieldDescriptor($0, places) })
        }
        return DescriptorSet(messages: linked, enumerations: [])
    }()
}

extension FieldDescriptor {
    /// - Parameter places: positions of messages, by full name.
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
