import MarqueeTypes
import Yams

/// Rows in a file, or in the files of a folder, which are read again when they have changed.
package struct FileFeed: Hashable, Sendable {
    /// In milliseconds.
    static let pauses: ClosedRange<UInt64> = 100...3_600_000

    /// The path of a file or folder.
    package var path: String
    /// The names of a folder's files that count, as a shell has them; `nil` for all.
    package var pattern: String?
    /// How each file is read.
    package var file: RecordFile
    /// How long files have to stay as they are before they are read, in milliseconds.
    package var quiet: UInt64 = 2_000

    /// Of a single file.
    package init(_ file: RecordFile) {
        path = file.path
        self.file = file
    }

    /// `prices.csv`, or `{name: incoming, match: "*.csv"}` with the settings that a file has.
    init?(yaml node: Node, _ reader: inout YAMLReader) {
        var fields: YAMLFields?
        var place = node
        if node.scalar == nil {
            let keys = ["name", "match", "quiet"] + RecordFile.settings
            guard let found = reader.fields(node, "'files'", allowed: keys),
                let name = reader.required("name", in: found)
            else { return nil }
            (fields, place) = (found, name)
        }
        guard let name = reader.text(place, "'files'", atMost: 4_096) else { return nil }
        guard name != ImportSource.standardInput else {
            reader.report(place, "lines of standard input are followed with stdin: ndjson")
            return nil
        }
        self.init(RecordFile(path: SourceFile.path(name, from: reader.file)))
        guard let fields else { return }
        file.set(fields, &reader)
        pattern = fields["match"].flatMap { reader.text($0, "'match'", atMost: 256) }
        quiet = fields["quiet"].flatMap { reader.milliseconds($0, "'quiet'", in: Self.pauses) } ?? quiet
    }

    /// Everything on which the rows depend.
    var shape: [String] { ["files", path, pattern ?? "", "\(file)"] }
}

/// Rows that arrive as lines of JSON, one after the other, for as long as somebody writes them.
package struct LineFeed: Hashable, Sendable {
    /// The column whose value says that a row's record is to be removed.
    package var removal: String?
    /// The column with a number that rises from line to line, such as a topic's offset.
    package var position: String?
    /// The column with the name of the part in which `position` rises.
    package var partition: String?

    /// `ndjson`, or `{remove: deleted, position: offset}`.
    init?(yaml node: Node, _ reader: inout YAMLReader) {
        if case .scalar(let scalar) = node {
            guard scalar.string == RecordFile.Format.ndjson.rawValue else {
                reader.report(node, "'stdin' is ndjson, or {position: offset, partition: partition, remove: deleted}")
                return nil
            }
            return
        }
        guard let fields = reader.fields(node, "'stdin'", allowed: ["remove", "position", "partition"]) else {
            return nil
        }
        func column(_ key: String) -> String? {
            fields[key].flatMap { reader.text($0, "'\(key)'", atMost: 256) }
        }
        (removal, position, partition) = (column("remove"), column("position"), column("partition"))
        if position == nil, let node = fields["partition"] {
            reader.report(node, "'partition' goes with 'position', the column that rises within one")
        }
    }

    var shape: [String] { ["stdin", removal ?? "", position ?? "", partition ?? ""] }
}
