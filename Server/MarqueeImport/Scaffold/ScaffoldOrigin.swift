import Foundation
package import MarqueeStore

extension ScaffoldFiles.Origin {
    /// - Parameters:
    ///   - source: the source as it was sampled.
    ///   - folder: the folder of the files; paths to the source are relative to it.
    package init(_ source: Sampler.Source, into folder: String) {
        switch source {
        case .file(let file):
            self.init(
                name: Self.stem(file.path),
                lines: ["file: \(Self.yaml("name", Self.path(file.path, from: folder), file))"],
                place: Self.short((file.path as NSString).lastPathComponent),
                isDatabase: false)
        case .address(let feed):
            let place = feed.address.description
            self.init(
                name: Self.stem(place), lines: ["http: \(Self.yaml("url", feed.address.text, feed.file))"],
                place: Self.short(place), isDatabase: false)
        case .database(.sqlite(let path)):
            self.init(
                name: Self.stem(path), lines: ["sqlite: \(YAMLText.quoted(Self.path(path, from: folder)))"],
                place: Self.short((path as NSString).lastPathComponent), isDatabase: true)
        case .database(.postgres(let url)):
            let name = url.withoutPassword.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }.dropFirst().prefix {
                $0 != "?"
            }
            self.init(
                name: name.isEmpty ? "database" : Self.short(String(name)),
                lines: ["postgres: {url: \(YAMLText.quoted(url.withoutPassword))}"], place: url.description,
                isDatabase: true)
        }
    }

    /// `airports.csv.gz` is `airports`.
    private static func stem(_ path: String) -> String {
        let name = (path as NSString).lastPathComponent
        return short(name.split(separator: ".").first.map(String.init) ?? name)
    }

    /// A name on one line, cut to the limit of a source's name.
    private static func short(_ name: String) -> String {
        var result = ""
        for character in name {
            let next = character.isNewline ? " " : String(character)
            guard result.utf8.count + next.utf8.count <= SourceFile.nameBytes else { break }
            result += next
        }
        return result
    }

    private static func yaml(_ key: String, _ place: String, _ file: RecordFile) -> String {
        var entries = [(key, YAMLText.quoted(place))]
        if let format = file.format { entries.append(("format", format.rawValue)) }
        if let encoding = file.encoding { entries.append(("encoding", YAMLText.quoted(encoding.name.lowercased()))) }
        if let separator = file.separator {
            let isTab = separator == TableDialect.tab
            entries.append(("separator", isTab ? "tab" : "\"\(Character(Unicode.Scalar(separator)))\""))
        }
        if file.skippedLines > 0 { entries.append(("skip", "\(file.skippedLines)")) }
        if !file.columns.isEmpty { entries.append(("columns", YAMLText.list(file.columns))) }
        if !file.rows.isEmpty { entries.append(("path", YAMLText.quoted(file.rows.joined(separator: ".")))) }
        if file.isKeyed { entries.append(("keyed", "true")) }
        return entries.count == 1 ? entries[0].1 : YAMLText.mapping(entries)
    }

    /// The relative path from a folder to a file; both are relative to the working directory.
    static func path(_ path: String, from folder: String) -> String {
        func parts(_ path: String) -> [String] { URL(filePath: path).standardizedFileURL.pathComponents }
        let (file, folder) = (parts(path), parts(folder))
        let shared = zip(file, folder).prefix { $0 == $1 }.count
        // Only the root in common: an absolute path is clearer.
        guard shared > 1 || file.count <= 2 else { return "/" + file.dropFirst().joined(separator: "/") }
        return (Array(repeating: "..", count: folder.count - shared) + file[shared...]).joined(separator: "/")
    }
}

extension PostgresURL {
    /// The URL without its password, for files that others read.
    var withoutPassword: String {
        guard let scheme = text.range(of: "://") else { return text }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        var result = String(text[..<scheme.upperBound])
        if let at = authority.lastIndex(of: "@") {
            result += authority[..<at].prefix { $0 != ":" } + authority[at...]
        } else {
            result += authority
        }
        let tail = rest[authority.endIndex...]
        let parts = tail.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        result += parts.first ?? ""
        guard parts.count == 2 else { return result }
        let options = parts[1].split(separator: "&").filter { !$0.hasPrefix("password=") }
        return options.isEmpty ? result : result + "?" + options.joined(separator: "&")
    }
}
