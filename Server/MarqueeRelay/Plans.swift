import MarqueeModel
import MarqueeServer
import MarqueeWire

extension RelayCore {
    /// A cache of plans, bounded in number: the variants that each view shows, according to upstream.
    struct Plans {
        private(set) var all: [PlanKey: PlanAnswer] = [:]
        private var ages = AgeQueue<PlanKey>()
        /// How often plans have been invalidated.
        private(set) var changes: UInt64 = 0

        subscript(key: PlanKey) -> PlanAnswer? { all[key] }

        /// The plan of a view for a reader: the one for everybody, or the reader's own.
        subscript(request: GetScreenRequest, reader: Reader) -> PlanAnswer? {
            all[PlanKey(request: request, audience: .everybody)]
                ?? all[PlanKey(request: request, audience: .reader(reader))]
        }

        /// - Parameter limit: the most plans that are remembered; the oldest are forgotten.
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

        /// Called when upstream has invalidated plans.
        mutating func changed() { changes += 1 }
    }
}
