import NIOCore

@testable import MarqueeDiff
@testable import MarqueeModel
@testable import MarqueeWire

/// Messages to decode and encode: items as an app's own types give them, the same in every run.
enum CodecSamples {
    /// An item of some 230 bytes. Its id and subject are as long as many are; the title isn't ASCII in one of eight.
    static func item(_ number: Int) -> Item {
        var card = CardContent(
            title: number % 8 == 7 ? "괴물이 사는 집, \(number)번째 이야기" : "The \(number)th house at the end of the road")
        card.subtitle = "Season \(number % 9 + 1), episode \(number % 24 + 1)"
        card.image = ImageReference(
            name: "/t/p/w500/\(1_000_003 &* (number + 1)).jpg", aspect: 2.0 / 3, color: "#1d2b3a")
        card.rating = CardContent.Rating(value: Double(number % 100) / 10, count: UInt64(number * 37))
        card.facts = [CardContent.Fact(label: "Length", value: "\(40 + number % 80) min")]
        card.actions = [ScreenAction(id: "open", title: "Open", target: "episode/\(number)")]
        return Item(
            id: "\(270_000 + number)", kind: .card, subject: "episode/\(270_000 + number)",
            body: BodyCodec.encode(.card(card)))
    }

    /// One part of a snapshot, of at least `bytes`.
    static func snapshot(bytes: Int) -> Part {
        var part = Part(
            handle: 77, base: nil, target: 0x1122_3344_5566_7788, script: [2, 0x80, 1], more: true,
            cut: CutChange(catalogueRevision: 123_456))
        while MessageCodec.encode(.data(part)).readableBytes - Frame.headerBytes < bytes {
            part.adds.append(item(part.adds.count))
        }
        part.count = UInt32(part.adds.count)
        return part
    }

    /// A patch of two changed items, of 200 bytes.
    static var patch: Part {
        Part(
            handle: 77, base: 0x8877_6655_4433_2211, target: 0x1122_3344_5566_7788,
            script: [0, 0, 17, 3, 2, 0, 1, 40, 80, 9], updates: [change(64), change(70)], count: 100,
            cut: CutChange(catalogueRevision: 123_457))
    }

    /// A change of two texts, of `bytes` without its last field.
    private static func change(_ bytes: Int) -> FieldChange {
        let text = Array("New: 12 seats left at the door".utf8)
        var records = [0x12, UInt8(text.count)] + text
        let rest = bytes - records.count - 2
        records += [0x1A, UInt8(rest)] + [UInt8](repeating: 0x61, count: rest)
        return FieldChange(records: records, cleared: [5, 9])
    }
}
