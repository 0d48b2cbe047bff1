/// Files that are read as a whole.
enum FileContent {
    /// Bytes of such a file, unpacked, at most. They describe a screen or a short list, not a catalogue.
    static let limit = 16 << 20

    /// The content of a file, plain or .gz.
    static func read(_ path: String, limit: Int = FileContent.limit) throws(ImportError) -> [UInt8] {
        let source = try ImportSource(path)
        var bytes: [UInt8] = []
        while try source.next({ (chunk) throws(ImportError) in
            guard bytes.count + chunk.count <= limit else {
                throw ImportError(.malformed, "\(path) has more than \(limit) bytes")
            }
            bytes.append(contentsOf: chunk)
        }) {}
        return bytes
    }

    /// The first bytes of a file, plain or .gz.
    static func head(of path: String) throws(ImportError) -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try ImportSource(path).next { bytes.append(contentsOf: $0) }
        return bytes
    }
}
