extension RecordCoder {
    /// The fields of a stored record that the message doesn't have, or has with another type, by their path and number:
    /// `12`, `audio.7`, `chapters[2].9`. JSON can't express them.
    package func unknownFields(of record: [UInt8]) throws(RecordError) -> [String] {
        try named { () throws(RecordError) in
            unknownFields(of: try RecordDecoder(set: set, source: .store).message(record, message), message, "")
        }
    }

    private func unknownFields(
        of value: MessageValue, _ descriptor: MessageDescriptor, _ way: String
    ) -> [String] {
        var seen: Set<UInt32> = []
        var found = value.unknown.filter { seen.insert($0.number).inserted }.map { "\(way)\($0.number)" }
        for nested in messages(in: value, descriptor) {
            found += unknownFields(of: nested.value, nested.descriptor, "\(way)\(nested.place).")
        }
        return found
    }
}
