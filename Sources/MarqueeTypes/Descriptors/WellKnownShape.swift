/// Checks that a message with the name of a well-known type has that type's fields, so that reading them by number is
/// safe.
enum WellKnownShape {
    static func check(
        _ type: WellKnownType, _ name: String, _ fields: [FieldDescriptor]
    ) throws(DescriptorError) {
        let found = fields.map { Shape(number: $0.number, type: $0.type, isSingle: $0.isSingle) }
        let expected: [Shape]
        switch type {
        case .timestamp, .duration: expected = [Shape(1, .int64), Shape(2, .int32)]
        case .wrapper: expected = scalar(name).map { [Shape(1, $0)] } ?? []
        }
        guard found == expected, fields.allSatisfy({ $0.presence == .implicit }) else {
            throw DescriptorError("\(name) is not declared as protobuf declares it")
        }
    }

    private static func scalar(_ name: String) -> ScalarType? {
        let word = name.dropFirst("google.protobuf.".count).dropLast("Value".count).lowercased()
        return ScalarType(name: word)
    }

    private struct Shape: Equatable {
        var number: UInt32
        var type: FieldDescriptor.ValueType
        var isSingle: Bool

        init(number: UInt32, type: FieldDescriptor.ValueType, isSingle: Bool) {
            self.number = number
            self.type = type
            self.isSingle = isSingle
        }

        init(_ number: UInt32, _ type: ScalarType) {
            self.init(number: number, type: .scalar(type), isSingle: true)
        }
    }
}
