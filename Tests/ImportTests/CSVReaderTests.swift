import Foundation
import Testing

@testable import MarqueeImport

/// Rows of a CSV file, and the lines that they are on.
@Suite struct CSVReaderTests {
    private func rows(_ data: Data, limit: Int = CSVReader.rowBytes) throws -> [CSVRow] {
        let folder = try ImportFolder()
        var rows: [CSVRow] = []
        try CSVReader(ImportSource(try folder.file("t.csv", data)), rowLimit: limit).read { rows.append($0) }
        return rows
    }

    private func rows(_ text: String, limit: Int = CSVReader.rowBytes) throws -> [CSVRow] {
        try rows(Data(text.utf8), limit: limit)
    }

    @Test func `Fields keep everything between quotes`() throws {
        #expect(
            try rows("a,\"b,\"\"c\"\"\nd\re\", f ,\n").map(\.fields) == [["a", "b,\"c\"\nd\re", " f ", ""]])
    }

    @Test func `A row is named by the line on which it begins`() throws {
        let text = "h\n\"two\nlines\"\nx\r\n\n\n\"three\r\nmore\n\"\ny\nlast"
        #expect(try rows(text).map(\.line) == [1, 2, 4, 7, 10, 11])
        #expect(try rows(text).map(\.fields) == [["h"], ["two\nlines"], ["x"], ["three\r\nmore\n"], ["y"], ["last"]])
    }

    @Test func `Rows are the same wherever the file is cut into chunks`() throws {
        // Longer than a chunk, with quotes and line breaks at varying distances from its boundaries.
        let fields = (0..<9_000).map { "\"\(String(repeating: "é", count: $0 % 23)),\"\"\n\",\($0)" }
        let read = try rows(fields.joined(separator: "\n"))
        #expect(read.count == 9_000)
        for (index, row) in read.enumerated() {
            #expect(row.fields == ["\(String(repeating: "é", count: index % 23)),\"\n", "\(index)"])
            #expect(row.line == 1 + 2 * index)
        }
    }

    @Test func `A byte order mark is not part of the first field`() throws {
        #expect(try rows("\u{FEFF}id\n1\n").map(\.fields) == [["id"], ["1"]])
    }

    @Test func `A field that isn't UTF-8 makes only its row bad`() throws {
        let read = try rows(Data("a,b\n".utf8) + Data([0x78, 0x2C, 0xFF, 0x0A]) + Data("c,d\n".utf8))
        #expect(read.map(\.flaw?.reason) == [nil, "field 2 is not UTF-8", nil])
        #expect(read.map(\.fields) == [["a", "b"], [], ["c", "d"]])
    }

    @Test func `An unclosed quote stops reading and is named by its line`() throws {
        let error = #expect(throws: ImportError.self) { try rows("a\nb,\"c\nd\ne\n") }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("t.csv:2: a quote that is opened in this row is never closed") == true)
    }

    @Test func `A row beyond its bound stops reading`() throws {
        let error = #expect(throws: ImportError.self) { try rows("a\n\"bbbbb\nbbbbb", limit: 10) }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("t.csv:2:") == true)
    }

    @Test func `A row with far too many fields is bad`() throws {
        let read = try rows(String(repeating: ",", count: 5_000) + "\nx\n")
        #expect(read.first?.flaw?.reason.contains("more than \(CSVReader.fieldsPerRow) fields") == true)
        #expect(read.last?.fields == ["x"])
    }

    @Test func `An empty file has no rows`() throws {
        #expect(try rows("").isEmpty)
    }
}

/// Plain and compressed files.
@Suite struct ImportSourceTests {
    /// `echo "hello, gzip" | gzip -9n`, in base64.
    private static let compressed = "H4sIAAAAAAACA8tIzcnJ11FIr8os4AIAhh+CpAwAAAA="

    private func read(_ path: String) throws -> String {
        let source = try ImportSource(path)
        var bytes: [UInt8] = []
        while try source.next({ bytes += Array($0) }) {}
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `A compressed file reads like a plain one`() throws {
        let folder = try ImportFolder()
        let data = try #require(Data(base64Encoded: ImportSourceTests.compressed))
        #expect(try read(try folder.file("a.gz", data)) == "hello, gzip\n")
        #expect(try read(try folder.file("a.txt", "hello, gzip\n")) == "hello, gzip\n")
    }

    @Test func `A truncated compressed file is reported`() throws {
        let folder = try ImportFolder()
        let data = try #require(Data(base64Encoded: ImportSourceTests.compressed))
        let error = #expect(throws: ImportError.self) { try read(try folder.file("a.gz", data.dropLast(9))) }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("ends too early") == true)
    }

    @Test func `A damaged compressed file is reported`() throws {
        let folder = try ImportFolder()
        var data = try #require(Data(base64Encoded: ImportSourceTests.compressed))
        data[data.count - 7] ^= 0xFF
        let error = #expect(throws: ImportError.self) { try read(try folder.file("a.gz", data)) }
        #expect(error?.code == .unreadable)
    }

    @Test func `Members of a compressed file follow each other, and nothing else follows them`() throws {
        let folder = try ImportFolder()
        let data = try #require(Data(base64Encoded: ImportSourceTests.compressed))
        #expect(try read(try folder.file("a.gz", data + data)) == "hello, gzip\nhello, gzip\n")
        #expect(try read(try folder.file("a.gz", data + Data(count: 700) + data)) == "hello, gzip\nhello, gzip\n")
        for rest in [Data("rest".utf8), Data([0x1F]), Data([0, 7])] {
            let path = try folder.file("a.gz", data + rest)
            let error = #expect(throws: ImportError.self) { try read(path) }
            let place = data.count + (rest.first == 0 ? 2 : 1)
            #expect(
                error?.message == "\(path) can't be read to its end: something else follows the compressed data, "
                    + "from byte \(place) of the file on")
        }
        let garbage = try folder.file("garbage.gz", Data([0x1F, 0x8B]) + Data("garbage".utf8))
        let error = #expect(throws: ImportError.self) { try read(garbage) }
        #expect(
            error?.message
                == "\(garbage) can't be read to its end: the compressed data is damaged: unknown compression "
                + "method")
    }

    @Test(arguments: [
        ("windows-1258", [0x50, 0x68, 0xF5, 0xD2], "Phở"), ("tcvn5712-1", [0x50, 0x68, 0x6F, 0xB4], "Phọ"),
        ("windows-1255", [0xE9, 0xC7], "י\u{5B7}"), ("euc-kr", [0xC7, 0xD1], "한"),
        ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x24, 0x22], "あ"),
    ])
    func `The last letter of a text is there in every encoding`(name: String, bytes: [UInt8], text: String) throws {
        let folder = try ImportFolder()
        let encoding = try #require(TextEncoding(name))
        let source = try ImportSource(try folder.file("last.txt", Data(bytes)), encoding: encoding)
        #expect(source.firstLine() == text)
        let read = String(decoding: try FileContent.read(source), as: UTF8.self)
        #expect(read == text)
    }

    @Test func `Bytes that an encoding doesn't have are named by their line`() throws {
        let folder = try ImportFolder()
        let path = try folder.file("a.csv", Data("a,b\nc,d\ne,".utf8) + Data([0xFF, 0xFF]))
        let source = try ImportSource(path, encoding: TextEncoding("euc-kr"))
        let error = #expect(throws: ImportError.self) { try FileContent.read(source) }
        #expect(error?.message == "\(path):3: the file can't be read: some of its bytes are not valid EUC-KR")
    }

    @Test(arguments: [
        ("PK\u{3}\u{4}      [Content_Types].xml", "a workbook"), ("PK\u{3}\u{4}  a.csv", "is a zip archive"),
        ("SQLite format 3\u{0}", "an SQLite database"), ("bplist00", "'import plist' reads"),
        ("<!DOCTYPE html>", "a page of HTML"),
    ])
    func `The error for a file of another kind says what it is`(text: String, words: String) throws {
        let folder = try ImportFolder()
        let error = #expect(throws: ImportError.self) { try ImportSource(try folder.file("a.csv", text)) }
        #expect(error?.message.contains(words) == true)
    }

    @Test func `A missing file or a folder is reported with its name`() throws {
        let folder = try ImportFolder()
        for path in ["\(folder.path)/missing.csv", folder.path] {
            let error = #expect(throws: ImportError.self) { try ImportSource(path) }
            #expect(error?.code == .noInput)
            #expect(error?.message.contains(path) == true)
        }
    }
}
