import MarqueeLocks
import Testing

@Suite struct LockedTests {
    private struct Refusal: Error {}
    private final class Owned: Sendable {}

    @Test func `Threads take turns`() async {
        let counter = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10_000 { counter.withLock { $0 += 1 } }
                }
            }
        }
        #expect(counter.withLock { $0 } == 80_000)
    }

    @Test func `An error passes through and leaves the value unlocked`() {
        let value = Locked("before")
        #expect(throws: Refusal.self) {
            try value.withLock { value throws(Refusal) in
                value = "after"
                throw Refusal()
            }
        }
        #expect(value.withLock { $0 } == "after")
    }

    @Test func `The value is released with the lock`() {
        weak var released: Owned?
        do {
            let owned = Owned()
            released = owned
            let value = Locked(owned)
            #expect(value.withLock { $0 } === owned)
        }
        #expect(released == nil)
    }

    @Test func `A reference keeps the first object`() {
        let reference = LazyReference<Owned>()
        #expect(reference.load() == nil)
        let first = Owned()
        #expect(reference.storeIfNil(first) === first)
        #expect(reference.storeIfNil(Owned()) === first)
        #expect(reference.load() === first)
    }
}
