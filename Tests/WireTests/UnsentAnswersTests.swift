import MarqueeWire
import Testing

@Suite struct UnsentAnswersTests {
    @Test func `A peer that reads may ask for any number of answers`() {
        var unsent = UnsentAnswers()
        for _ in 0..<3 * UnsentAnswers.maximumFrames {
            #expect(unsent.add(bytes: 18) == true)
            unsent.sent(bytes: 18)
        }
    }

    @Test func `A peer that never reads gets a bounded number of answers`() {
        var unsent = UnsentAnswers()
        let taken = (0..<2 * UnsentAnswers.maximumFrames).count { _ in unsent.add(bytes: 18) }
        #expect(taken == UnsentAnswers.maximumFrames)
    }

    @Test func `Large answers are bounded by their bytes`() {
        var unsent = UnsentAnswers()
        #expect(unsent.add(bytes: UnsentAnswers.maximumBytes - 1) == true)
        #expect(unsent.add(bytes: 2) == false)
        #expect(unsent.add(bytes: 1) == true)
        unsent.sent(bytes: 1)
        #expect(unsent.add(bytes: .max) == false)
    }
}
