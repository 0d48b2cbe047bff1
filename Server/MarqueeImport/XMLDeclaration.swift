/// The line with which a file of XML may begin: `<?xml version="1.0" encoding="EUC-KR"?>`.
enum XMLDeclaration {
    /// The encoding that it names, if that isn't UTF-8.
    /// - Parameter text: the beginning of the file.
    static func encoding(in text: String) -> String? {
        guard let declaration = text.prefixMatch(of: /<\?xml[^>]*encoding=["']([^"']+)["']/) else { return nil }
        let name = declaration.1.lowercased()
        return name == "utf-8" || name == "utf8" ? nil : name
    }

    /// Text that was converted to UTF-8, without the declaration that names another encoding.
    static func removed(from bytes: [UInt8]) -> [UInt8] {
        let text = bytes.drop { $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
        guard text.starts(with: Array("<?xml".utf8)), let end = text.firstIndex(of: UInt8(ascii: ">")) else {
            return Array(text)
        }
        // Its line ends stay, so that lines are counted right.
        return text[...end].filter { $0 == UInt8(ascii: "\n") } + text[(end + 1)...]
    }
}
