import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct PublicationReaderTests {
    private static func page(_ number: Int) -> [UInt8] { Array(#"{"page":{"id":"\#(number)","sections":[]}}"#.utf8) }

    private func reader(_ documents: [[UInt8]]) -> PublicationReader {
        PublicationReader(documents, by: Identity(user: "feed", scopes: .everything), types: nil)
    }

    @Test func `A publication is read a bounded number of documents at a time`() throws {
        var reader = reader((1...PublicationReader.documentsAtOnce + 1).map(Self.page))
        try reader.read()
        #expect(reader.changes.count == PublicationReader.documentsAtOnce && !reader.isDone)
        try reader.read()
        #expect(reader.changes.count == PublicationReader.documentsAtOnce + 1 && reader.isDone)
    }

    @Test func `A refusal names the place of the change in the whole publication`() throws {
        var reader = reader([Self.page(1), Self.page(2), Array("{}".utf8)])
        try reader.read(atMost: 2)
        let refusal = #expect(throws: Status.self) { try reader.read(atMost: 2) }
        #expect(refusal?.reason == "CHANGE_INVALID")
        #expect(refusal?.message.hasPrefix("change 3: ") == true)
    }

    @Test func `A publication read at once is accepted or refused as if read in parts`() throws {
        let identity = Identity(user: "feed", scopes: .everything)
        let right = [Self.page(1), Self.page(2)]
        #expect(try PublicationReader.changes(of: right, by: identity, types: nil).count == 2)
        let wrong = right + [Array("{}".utf8)]
        var parts = reader(wrong)
        let refusal = #expect(throws: Status.self) { try parts.read() }
        let same = #expect(throws: Status.self) {
            try PublicationReader.changes(of: wrong, by: identity, types: nil)
        }
        #expect(refusal == same)
    }
}
