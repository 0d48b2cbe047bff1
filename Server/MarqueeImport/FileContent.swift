/// Files that are read in one piece.
enum FileContent {
    /// The most bytes of such a file, unpacked. They describe a screen or a short list, not a catalogue.
    static let limit = 16 << 20

    /// The content of a file, unpacked and in UTF-8.
    static func read(_ source: ImportSource, limit: Int = FileContent.limit) throws(ImportError) -> [UInt8] {
        var bytes: [UInt8] = []
        while try source.next({ (chunk) throws(ImportError) in
            guard bytes.count + chunk.count <= limit else {
                throw ImportError(.malformed, "\(source.name) has more than \(limit) bytes")
            }
            bytes.append(contentsOf: chunk)
        }) {}
        return bytes
    }
}
