/// A message type: its names and fields.
package struct MessageDescriptor: Hashable, Sendable {
    /// The name with its package, without a leading dot: `podcast.v1.Show`.
    package var fullName: String
    /// The file that declares it.
    package var file: String
    /// Ascending by number.
    package var fields: [FieldDescriptor]
    /// Names of its oneofs, without those that implement proto3's `optional`.
    package var oneofs: [String]
    /// Its special JSON form, if it has one.
    package var wellKnown: WellKnownType?
    /// Why this message can't be part of a record; `nil` if it can.
    package var refusal: String?
    /// Indices of fields, by `.proto` name and by JSON name.
    private let places: [String: Int]
    /// Indices of the members of each oneof.
    private let members: [[Int]]

    /// - Parameter fields: ascending by number.
    package init(
        fullName: String, file: String, fields: [FieldDescriptor], oneofs: [String] = [],
        wellKnown: WellKnownType? = nil, refusal: String? = nil
    ) {
        self.fullName = fullName
        self.file = file
        self.fields = fields
        self.oneofs = oneofs
        self.wellKnown = wellKnown
        self.refusal = refusal
        var places: [String: Int] = [:]
        // A field's own name takes precedence over another field's JSON name.
        for (index, field) in fields.enumerated() { places[field.jsonName] = index }
        for (index, field) in fields.enumerated() { places[field.name] = index }
        self.places = places
        members = oneofs.indices.map { oneof in fields.indices.filter { fields[$0].oneof == oneof } }
    }

    /// The indices of the fields that setting the one at `place` clears: the other members of its oneof.
    func rivals(of place: Int) -> [Int] {
        guard let oneof = fields[place].oneof else { return [] }
        return members[oneof].filter { $0 != place }
    }

    /// The index of the field with this name, either from JSON or from the `.proto` file.
    package func place(named name: String) -> Int? { places[name] }

    /// The field with this name, either from JSON or from the `.proto` file.
    package func field(named name: String) -> FieldDescriptor? { places[name].map { fields[$0] } }

    /// The index of the field with this number. Numbers mostly run from 1 without gaps, so the first guess is usually
    /// right.
    func place(numbered number: UInt32) -> Int? {
        let guess = Int(number) - 1
        if fields.indices.contains(guess), fields[guess].number == number { return guess }
        let place = fields.partitioningIndex { $0.number >= number }
        return place < fields.count && fields[place].number == number ? place : nil
    }

    /// The field with this number.
    package func field(numbered number: UInt32) -> FieldDescriptor? { place(numbered: number).map { fields[$0] } }
}

/// Protobuf's own messages that are a single value in JSON.
package enum WellKnownType: Hashable, Sendable {
    /// `"2026-11-22T07:10:44Z"`
    case timestamp
    /// `"3.5s"`
    case duration
    /// The bare value inside it.
    case wrapper

    private static let package = "google.protobuf."

    init?(fullName: String) {
        guard fullName.hasPrefix(WellKnownType.package) else { return nil }
        switch fullName.dropFirst(WellKnownType.package.count) {
        case "Timestamp": self = .timestamp
        case "Duration": self = .duration
        case "DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value", "UInt32Value", "BoolValue",
            "StringValue", "BytesValue":
            self = .wrapper
        default: return nil
        }
    }

    /// Protobuf's own messages with a special form that Marquee doesn't support.
    static let refused: Set<String> = [
        "google.protobuf.Any", "google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue",
        "google.protobuf.FieldMask",
    ]
}
