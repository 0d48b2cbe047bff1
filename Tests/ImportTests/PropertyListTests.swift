import Foundation
import MarqueeStore
import SeededRandom
import Testing

@testable import MarqueeImport

/// Property lists in each of their forms, whole, damaged and hostile.
@Suite struct PropertyListTests {
    private let folder: ImportFolder

    init() throws { folder = try ImportFolder() }

    private static var page: [[String: Any]] {
        [["sectionType": "main", "sectionName": "새로운", "contentItem": [["imageName": "a.jpg", "description": "é"]]]]
    }

    private func read(_ data: Data, encoding: String? = nil) throws -> PropertyList {
        let source = try ImportSource(
            try folder.file("Content.plist", data), encoding: encoding.flatMap { TextEncoding($0) },
            isPropertyList: true)
        return try PropertyList.read(source)
    }

    private func refusal(_ data: Data) throws -> String {
        do {
            _ = try read(data)
            return ""
        } catch let error as ImportError {
            #expect(error.code == .malformed)
            return error.message.replacing("\(folder.path)/", with: "")
        }
    }

    private static func binary(_ value: Any) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
    }

    /// Levels of lists, each of ten references to the next one.
    private static func shared(levels: UInt8) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for level in 0..<levels {
            offsets.append(UInt8(bytes.count))
            bytes += [0xAA] + [UInt8](repeating: level + 1, count: 10)
        }
        offsets.append(UInt8(bytes.count))
        bytes += [0x51, UInt8(ascii: "x")]
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt8(offsets.count), 0, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        return Data(bytes)
    }

    @Test func `A small binary list is read, and isn't taken for text in UTF-16`() throws {
        let list = try read(Self.binary(Self.page))
        #expect(list.list?.first?.members?["sectionName"]?.text == "새로운")
        #expect(try read(Self.binary([])) == .list([]))
        let items = ["n": 7, "d": Date(timeIntervalSince1970: 0), "b": Data([1]), "t": true, "r": 0.5] as [String: Any]
        #expect(try read(Self.binary([items])).list?.first?.members?.values.allSatisfy { $0 == .other } == true)
        let long = (0..<300).map { "text \($0) \(String(repeating: "가", count: $0 % 40))" }
        #expect(try read(Self.binary(long)).list?.compactMap(\.text) == long)
    }

    @Test func `A few bytes that stand for any number of values are refused`() throws {
        #expect(try read(Self.shared(levels: 3)).list?.count == 10)
        for levels in [6, 15] as [UInt8] {
            #expect(
                try refusal(Self.shared(levels: levels))
                    == "Content.plist is a binary property list, but it stands for more than 500000 values, "
                    + "16777216 bytes of text or 64 levels")
        }
        let report = try Importer(store: MemoryStore()).plist(
            file: try folder.file("page.plist", Self.binary(Self.page)), page: "home")
        #expect(report.imported == 1)
    }

    @Test func `A list that contains itself is refused`() throws {
        var bytes = Array("bplist00".utf8) + [0xA1, 0, 8, 0, 0, 0, 0, 0, 0, 1, 1]
        for number in [1, 0, 10] as [UInt8] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        #expect(try refusal(Data(bytes)).contains("64 levels"))
    }

    @Test func `Damaged binary lists are refused with a reason`() throws {
        let whole = try Self.binary(Self.page)
        #expect(try refusal(whole.dropLast(9)).contains("it is cut off or damaged"))
        #expect(try refusal(whole.prefix(20)) == "Content.plist is a binary property list, but it is cut off")
        #expect(try refusal(Data("bplist15".utf8) + whole.dropFirst(8)).contains("a version that isn't known"))
        for place in stride(from: whole.startIndex, to: whole.endIndex, by: Extent.of(3, full: 1)) {
            for byte in [0x00, 0x5F, 0xDF, 0xFF] as [UInt8] {
                var damaged = whole
                damaged[place] = byte
                _ = try refusal(damaged)
            }
        }
    }

    @Test func `A list in XML is read in the encoding that it declares or is given`() throws {
        func xml(_ encoding: String) -> String {
            "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n<plist version=\"1.0\"><array><string>한</string></array></plist>"
        }
        let korean = xml("EUC-KR").split(separator: "한").map { Data($0.utf8) }
        let bytes = korean[0] + Data([0xC7, 0xD1]) + korean[1]
        let wide = try #require(xml("UTF-16").data(using: .utf16))
        for data in [Data(xml("UTF-8").utf8), Data([0xEF, 0xBB, 0xBF]) + Data(xml("UTF-8").utf8), bytes, wide] {
            #expect(try read(data) == .list([.text("한")]))
        }
        #expect(try read(bytes, encoding: "cp949") == .list([.text("한")]))
        #expect(try read(wide, encoding: "utf-16") == .list([.text("한")]))
        let start = xml("UTF-8").prefix { $0 != "한" }
        let undeclared = try refusal(Data(start.utf8) + Data([0xC7, 0xD1]))
        #expect(undeclared.hasPrefix("Content.plist:2: the file is not UTF-8 text"), "\(undeclared)")
    }

    @Test func `A list in XML that can't be read is refused with its line`() throws {
        let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<array>\n<dict>\n<key>a</key>"
        #expect(try refusal(Data(start.utf8)).hasSuffix("inside <dict> at line 5"))
        #expect(
            try refusal(Data("\(start)<strin>x</strin>".utf8))
                == "Content.plist is not a property list: encountered unknown tag strin on line 5")
        #expect(try refusal(Data("nonsense {".utf8)).contains("not a property list"))
    }

    @Test func `Decomposed texts are composed, and a key that occurs twice is refused`() throws {
        #expect(try read(Self.binary(["e\u{301}"])).list?.first?.text?.unicodeScalars.count == 1)
        // A dictionary with two references to one key.
        var bytes = Array("bplist00".utf8) + [0xD2, 1, 1, 1, 1, 0x51, UInt8(ascii: "k")]
        bytes += [8, 13, 0, 0, 0, 0, 0, 0, 1, 1]
        for number in [2, 0, 15] as [UInt8] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        #expect(try refusal(Data(bytes)).contains("a dictionary has the key 'k' twice"))
    }
}
