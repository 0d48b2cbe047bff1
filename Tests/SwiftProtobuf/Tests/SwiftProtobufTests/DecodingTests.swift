import MarqueeSwiftProtobuf
import SwiftProtobuf
import Testing

@testable import MarqueeClient
@testable import MarqueeModel
@testable import MarqueeWire

/// Decodes items of a mirror as SwiftProtobuf messages.
@Suite struct DecodingTests {
    private static let show: Show = {
        var show = Show()
        show.slug = "crumb"
        show.author = "Teo Marchetti"
        show.followers = 73_950
        return show
    }()

    private func item(_ content: ItemContent, kind: ItemKind = .card) -> ScreenItem {
        ScreenItem(
            item: Item(id: "crumb", kind: kind, subject: "show/crumb", body: BodyCodec.encode(content)), favorite: .no)
    }

    private func card(_ message: String, _ bytes: [UInt8]) -> ScreenItem {
        var card = CardContent(title: "Crumb")
        card.record = CardContent.Record(message: message, bytes: bytes)
        return item(.card(card))
    }

    @Test func `A card's record is decoded`() throws {
        let item = card("podcast.v1.Show", try Self.show.serializedBytes())
        #expect(try item.decode(as: Show.self) == Self.show)
        #expect(item.record?.message == "podcast.v1.Show")
    }

    @Test func `An item that is a record is decoded`() throws {
        let kind = ItemKind(rawValue: 1_042)
        let bytes: [UInt8] = try Self.show.serializedBytes()
        let show: Show = try item(.encoded(kind: kind, bytes: bytes), kind: kind).decode()
        #expect(show == Self.show)
    }

    @Test func `Fields of a newer schema are kept`() throws {
        // Appends field 20, a number.
        let bytes = try Self.show.serializedBytes() as [UInt8] + [0xA0, 0x01, 7]
        let show = try card("podcast.v1.Show", bytes).decode(as: Show.self)
        #expect(show.slug == "crumb")
        #expect(try show.serializedBytes() as [UInt8] == bytes)
    }

    @Test func `Decoding an item without a matching record throws the reason`() throws {
        let bytes: [UInt8] = try Self.show.serializedBytes()
        let preset = ItemKind(rawValue: 3)
        let cases: [(ScreenItem, RecordDecodingError.Code)] = [
            (item(.card(CardContent(title: "Crumb"))), .noRecord), (card("podcast.v1.Episode", bytes), .otherMessage),
            (card("podcast.v1.Show", Array(bytes.dropLast())), .damaged),
            (item(.encoded(kind: preset, bytes: bytes), kind: preset), .noRecord),
        ]
        for (item, code) in cases {
            let error = #expect(throws: RecordDecodingError.self) { try item.decode(as: Show.self) }
            #expect(error?.code == code)
        }
        let other = #expect(throws: RecordDecodingError.self) {
            try card("podcast.v1.Episode", bytes).decode(as: Show.self)
        }
        #expect(other?.message == "item 'crumb' carries a podcast.v1.Episode, not a podcast.v1.Show")
    }
}
