extension RecordCoder {
    /// The fields of a stored record that the message lacks or declares with another type, by path and number: `12`,
    /// `audio.7`, `chapters[2].9`. JSON can't express them.
    package func unknownFields(of record: [UInt8]) throws(RecordError) -> [String] {
        try named { () throws(RecordError) in
            unknownFields(of: try RecordDecoder(set: set, source: .store).message(record, message), message, "")
        }
    }

    private func unknownFields(
        of value: MessageValue, _ descriptor: MessageDescriptor, _ prefix: String
    ) -> [String] {
        var seen: Set<UInt32> = []
        var found = value.unknown.filter { seen.insert($0.number).inserted }.map { "\(prefix)\($0.number)" }
        for nested in messages(in: value, descriptor) {
            found += unknownFields(of: nested.value, nested.descriptor, "\(prefix)\(nested.place).")
        }
        return found
    }
}
