/// Records in the words of their schema, as JSON.
enum RecordJSON {
    /// `fields`, `unknownFields` and `fieldsError`, whichever apply.
    static func pairs(_ reading: RecordReader.Reading) -> [String: JSONValue] {
        JSONValue.pairs([
            "fields": reading.json.flatMap { JSONValue(json: $0) }, "fieldsError": reading.problem.map { .string($0) },
            "unknownFields": reading.unknownFields.isEmpty ? nil : .strings(reading.unknownFields),
        ])
    }
}
