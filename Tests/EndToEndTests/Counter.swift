import Synchronization

final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    @discardableResult func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
