import Foundation
import MarqueeModel
import MarqueeScreenJSON
import MarqueeServer
import MarqueeWire
import NIOCore

/// Whole screens as JSON: the text of a screen's content is made once, however many clients ask for it and however many
/// commits leave it as it is. Thread safe.
final class ScreenTexts: Sendable {
    /// The end of the server's answer that a text is made of.
    private struct Body: Hashable {
        /// The bytes at its beginning and at its end that tell most bodies apart.
        private static let sampleBytes = 256

        let bytes: [UInt8]
        let start: Int

        static func == (first: Body, second: Body) -> Bool {
            first.withBytes { first in
                second.withBytes { second in
                    guard first.count == second.count else { return false }
                    guard let one = first.baseAddress, let other = second.baseAddress, one != other else { return true }
                    return memcmp(one, other, first.count) == 0
                }
            }
        }

        func hash(into hasher: inout Hasher) {
            withBytes { bytes in
                hasher.combine(bytes.count)
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.sampleBytes)))
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes.suffix(Self.sampleBytes)))
            }
        }

        private func withBytes<Value>(_ read: (UnsafeRawBufferPointer) -> Value) -> Value {
            bytes.withUnsafeBytes { read(UnsafeRawBufferPointer(rebasing: $0.dropFirst(start))) }
        }
    }

    /// A screen without its position.
    fileprivate struct Content {
        let sum: UInt64
        let view: ScreenContent
        let sections: ByteBuffer
        let bodyBytes: Int

        init(_ answer: GetScreenAnswer, bodyBytes: Int, _ items: ItemTexts) {
            sum = WebText.sum(answer)
            view = answer.view
            sections = ByteBuffer(string: WebText.sections(answer, item: items.document).line())
            self.bodyBytes = bodyBytes
        }
    }

    /// A screen at its position.
    struct Screen {
        let tag: EntityTag
        fileprivate let answer: GetScreenAnswer
        fileprivate let content: Content

        /// The screen on one line. The text of its sections is shared.
        func text() -> [ByteBuffer] {
            let document = WebText.snapshot(answer, sum: content.sum, sections: .written(Self.place))
            let sides = document.line().split(separator: Self.place, maxSplits: 1, omittingEmptySubsequences: false)
            guard let start = sides.first, let end = sides.dropFirst().first else { return [] }
            return [ByteBuffer(substring: start), content.sections, ByteBuffer(string: end + "\n")]
        }

        /// The placeholder for the sections. No text contains it, because JSON escapes it.
        private static let place = "\0"
    }

    private let items = ItemTexts()
    private let contents = SharedMemo<Body, Content>(values: 64, bytes: 16 << 20) {
        $0.sections.readableBytes + $0.bodyBytes
    }

    /// - Parameter body: the answer to `GET_SCREEN`.
    func screen(of body: [UInt8]) throws(WireError) -> Screen {
        var answer: GetScreenAnswer
        let content: Content
        if let start = CallBodyCodec.contentOffset(ofGetScreenAnswer: body) {
            answer = try CallBodyCodec.decodeGetScreenAnswer(Array(body[..<start]) + Self.nothing)
            content = try contents.value(of: Body(bytes: body, start: start)) { () throws(WireError) in
                Content(try CallBodyCodec.decodeGetScreenAnswer(body), bodyBytes: body.count, items)
            }
            answer.view = content.view
        } else {
            answer = try CallBodyCodec.decodeGetScreenAnswer(body)
            content = Content(answer, bodyBytes: body.count, items)
        }
        // Weak: the same content may come with a newer revision.
        return Screen(
            tag: EntityTag(ContentJSON.hexadecimal(content.sum), isWeak: true), answer: answer, content: content)
    }

    /// The encoded content of a screen without sections.
    private static let nothing: [UInt8] = {
        let body = CallBodyCodec.encode(
            GetScreenAnswer(
                screen: "", locale: "", cut: Cut(catalogueEpoch: 0, catalogueRevision: 0),
                view: ScreenContent(id: "", head: [], items: [], sum: 0), sections: []))
        return Array(body.dropFirst(CallBodyCodec.contentOffset(ofGetScreenAnswer: body) ?? 0))
    }()
}
