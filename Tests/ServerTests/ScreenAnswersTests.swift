import MarqueeModel
import MarqueeWire
import Testing

@testable import MarqueeServer

@Suite struct ScreenAnswersTests {
    private func answer(_ screen: String, _ revision: UInt64, item: String, sum: UInt64) -> GetScreenAnswer {
        let item = Item(id: item, kind: ItemKind(rawValue: 1), body: Array(repeating: 7, count: 300))
        return GetScreenAnswer(
            screen: screen, locale: "en", cut: Cut(catalogueEpoch: 9, catalogueRevision: revision),
            view: ScreenContent(id: "", head: [1], items: [], sum: 3),
            sections: [ScreenContent(id: "main", head: [2], items: [item], sum: sum)])
    }

    @Test func `A body is the encoded answer, at each position and for each content`() {
        let answers = ScreenAnswers()
        for answer in [
            answer("home", 1, item: "a", sum: 5), answer("home", 2, item: "a", sum: 5),
            answer("detail/a", 300, item: "a", sum: 5), answer("home", 3, item: "b", sum: 6),
            answer("home", 4, item: "a", sum: 5),
        ] { #expect(answers.body(of: answer) == CallBodyCodec.encode(answer)) }
    }

    @Test func `The place of the content is known only where the fields come in order, whole`() throws {
        let body = CallBodyCodec.encode(answer("home", 300, item: "a", sum: 5))
        let start = try #require(CallBodyCodec.contentOffset(ofGetScreenAnswer: body))
        #expect(body[start] == 0x22)
        for end in 0..<start { #expect(CallBodyCodec.contentOffset(ofGetScreenAnswer: Array(body[..<end])) == nil) }
        #expect(CallBodyCodec.contentOffset(ofGetScreenAnswer: Array(body[start...])) == nil)
        let endless = [0x0A] + [UInt8](repeating: 0xFF, count: 20)
        #expect(CallBodyCodec.contentOffset(ofGetScreenAnswer: endless) == nil)
    }
}
