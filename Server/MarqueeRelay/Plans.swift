import MarqueeModel
import MarqueeServer
import MarqueeWire

extension RelayCore {
    /// Which variants views show, as upstream has answered; a bounded number of them.
    struct Plans {
        private(set) var all: [PlanKey: PlanAnswer] = [:]
        private var ages = AgeQueue<PlanKey>()
        /// How often views had to be planned again.
        private(set) var changes: UInt64 = 0

        subscript(key: PlanKey) -> PlanAnswer? { all[key] }

        /// The plan that somebody's view has.
        subscript(request: GetScreenRequest, reader: Reader) -> PlanAnswer? {
            all[PlanKey(request: request, audience: .everybody)]
                ?? all[PlanKey(request: request, audience: .reader(reader))]
        }

        /// - Parameter limit: the most that are remembered; the oldest ones go.
        mutating func remember(_ plan: PlanAnswer, as key: PlanKey, limit: Int, now: UInt64) {
            all[key] = plan
            ages.append(key, at: now)
            while ages.count > limit, let oldest = ages.popFirst() { all[oldest] = nil }
        }

        mutating func forget(_ key: PlanKey) {
            all[key] = nil
            ages.remove(key)
        }

        mutating func forgetAll() {
            all = [:]
            ages = AgeQueue()
        }

        mutating func changed() { changes += 1 }
    }
}
