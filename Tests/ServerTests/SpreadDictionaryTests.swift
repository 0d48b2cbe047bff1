import Testing

@testable import MarqueeServer

@Suite struct SpreadDictionaryTests {
    @Test func `It holds what a dictionary would`() {
        var (spread, plain) = (SpreadDictionary<Int, Int>(), [Int: Int]())
        for step in 0..<20_000 {
            let key = step &* 7_919 % 3_001
            if step % 3 == 0 {
                #expect(spread.removeValue(forKey: key) == plain.removeValue(forKey: key))
            } else {
                #expect(spread.updateValue(step, forKey: key) == plain.updateValue(step, forKey: key))
            }
            #expect(spread.count == plain.count)
        }
        for key in 0..<3_001 { #expect(spread[key] == plain[key]) }
    }
}
