import Testing

@testable import MarqueeWire

@Suite struct BackoffTests {
    @Test func `The bound doubles up to the longest pause`() {
        var backoff = Backoff(bounds: .milliseconds(500)...(.seconds(30)))
        let pauses = (0..<9).map { _ in backoff.next(fraction: 1) }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
    }

    @Test func `The pause is drawn from zero up`() {
        var backoff = Backoff(bounds: .seconds(1)...(.seconds(30)))
        #expect(backoff.next(fraction: 0) == .zero)
        #expect(backoff.next(fraction: 0.5) == .seconds(1))
        #expect(backoff.next(fraction: 0.25) == .seconds(1))
    }

    @Test func `After a working connection, pauses are short again`() {
        var backoff = Backoff(bounds: .seconds(1)...(.seconds(30)))
        for _ in 0..<5 { _ = backoff.next(fraction: 1) }
        backoff.reset()
        #expect(backoff.next(fraction: 1) == .seconds(1))
    }

    @Test func `A connection that ends sooner than the next pause may last is no success`() {
        var backoff = Backoff(bounds: .milliseconds(500)...(.seconds(30)))
        let pauses = (0..<8).map { _ in
            defer { backoff.ended(after: .milliseconds(50)) }
            return backoff.next(fraction: 1)
        }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        backoff.ended(after: Backoff.steady)
        #expect(backoff.next(fraction: 1) == .milliseconds(500))
        backoff.ended(after: .seconds(1))
        #expect(backoff.next(fraction: 1) == .milliseconds(500))
    }

    @Test func `Many attempts stay within the bounds`() {
        var backoff = Backoff(bounds: .seconds(1)...(.seconds(30)))
        #expect((0..<10_000).allSatisfy { _ in backoff.next(fraction: 0.999) <= .seconds(30) })
    }
}

@Suite("Backoff when a pause is requested")
struct AskedBackoffTests {
    @Test func `The requested pause is kept the first time, and grows while nothing works`() {
        var backoff = Backoff(bounds: .seconds(1)...(.seconds(8)))
        let pauses = (0..<6).map { _ in backoff.next(atLeast: .seconds(3), fraction: 1) }
        #expect(pauses == [3, 3, 4, 8, 8, 8].map { .seconds($0) })
        backoff.reset()
        #expect(backoff.next(atLeast: .zero, fraction: 1) == .zero)
    }
}
