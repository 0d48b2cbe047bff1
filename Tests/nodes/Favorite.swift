import MarqueeClient
import Synchronization

/// One movie that a user marks and unmarks, each time on another device.
///
/// A change begins when the one before it is confirmed. So the order in which the servers take them is known, whichever
/// servers the devices are at, and their log has to be the same.
final class Favorite: Sendable {
    private struct State {
        /// The confirmed changes, in order: set or unset.
        var confirmed: [Bool] = []
        var next = 0
        /// Until each confirmation, since the phase began.
        var waits: [Duration] = []
        var faults: [String] = []
    }

    let key: FavoriteKey
    private let subject: Subject
    private let devices: [Device]
    private let state: Mutex<State>

    /// - Parameters:
    ///   - devices: the user's.
    ///   - first: the number of the device that makes the first change.
    init(user: String, subject: Subject, devices: [Device], first: Int) {
        key = FavoriteKey(user: user, subject: subject.name)
        self.subject = subject
        self.devices = devices
        state = Mutex(State(next: first))
    }

    var confirmed: [Bool] { state.withLock { $0.confirmed } }
    var waits: [Duration] { state.withLock { $0.waits } }
    var faults: [String] { state.withLock { $0.faults } }

    func forget() {
        state.withLock { state in
            state.waits = []
            state.faults = []
        }
    }

    /// Changes it until a moment, then waits until that is confirmed.
    /// - Parameter pause: between two changes, on average.
    func change(until end: ContinuousClock.Instant, pause: Duration) async {
        while !Task.isCancelled {
            let next = ContinuousClock.now + pause * Double.random(in: 0..<2)
            guard next < end else { return }
            try? await Task.sleep(until: next, clock: .continuous)
            guard await changeOnce(end + Bounds.settling) else { return }
        }
    }

    /// - Returns: whether its state is known afterwards.
    private func changeOnce(_ deadline: ContinuousClock.Instant) async -> Bool {
        let (device, isOn) = state.withLock { state in
            defer { state.next += 1 }
            return (devices[state.next % devices.count], !(state.confirmed.last ?? false))
        }
        let start = ContinuousClock.now
        do {
            let change = try await device.client.setFavorite(isOn, for: subject)
            switch try await device.client.result(of: change, within: deadline - start) {
            case .confirmed:
                state.withLock { state in
                    state.confirmed.append(isOn)
                    state.waits.append(.now - start)
                }
                return true
            case .rejected(let error): fail("was refused: \(error)")
            case .replaced: fail("was replaced by another change")
            }
        } catch {
            if !Task.isCancelled { fail("was not confirmed: \(error)") }
        }
        return false
    }

    private func fail(_ fault: String) {
        state.withLock { $0.faults.append("\(key.subject) of \(key.user) \(fault)") }
    }
}
