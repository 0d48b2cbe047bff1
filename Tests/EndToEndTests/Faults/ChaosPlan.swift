import NIOCore
import SeededRandom

/// The course of one connection through the proxy; decided before it begins.
struct ChaosPlan: Sendable {
    /// A fault that happens to it once.
    enum Fault: String, CaseIterable, Sendable {
        case none
        /// Both sides get a reset.
        case reset
        /// Both sides get an orderly end, wherever they are.
        case end
        /// Nothing passes any more, and neither side is told.
        case halfOpen
        case halfOpenToServer
        case halfOpenToClient
        /// Nothing passes for a while.
        case stall
        /// One bit of the server's content is flipped.
        case damage
        /// One bit of a frame's length is flipped, making it longer, though within the limit.
        case lengthToServer
        case lengthToClient
    }

    /// How bytes pass in one direction.
    struct Way: Sendable {
        /// Bytes that pass at once.
        var fragments: ClosedRange<Int>
        /// Microseconds before each fragment.
        var pause: ClosedRange<Int>
        var bytesPerSecond: Int?

        static let calm = Way(fragments: 1 << 16...1 << 16, pause: 0...0)

        static func draw(using random: inout SeededGenerator) -> Way {
            let fragments = random.pick([1...7, 1...200, 100...1_448, 1...20_000, 1 << 16...1 << 16])
            let pause = random.pick([0...0, 0...0, 0...500, 0...2_000, 0...20_000])
            var way = Way(fragments: fragments ?? 1...1, pause: pause ?? 0...0)
            // Single bytes with long pauses would be a stall.
            if way.fragments.upperBound < 100 { way.pause = 0...100 }
            if random.chance(25) { way.bytesPerSecond = Int(random.magnitude(10_000...1_000_000)) }
            return way
        }
    }

    var toServer: Way
    var toClient: Way
    var fault: Fault
    /// The fault strikes after this many bytes from the server, or after the time, whichever comes first.
    var bytes: Int
    var time: TimeAmount
    /// How long a stall lasts.
    var stall: TimeAmount

    static let calm = ChaosPlan(
        toServer: .calm, toClient: .calm, fault: .none, bytes: .max, time: .hours(1), stall: .zero)

    static func draw(using random: inout SeededGenerator) -> ChaosPlan {
        ChaosPlan(
            toServer: .draw(using: &random), toClient: .draw(using: &random),
            fault: random.pick(Fault.allCases) ?? .none,
            bytes: Int(random.magnitude(10...200_000)), time: .milliseconds(Int64(random.magnitude(20...6_000))),
            stall: .milliseconds(Int64(random.int(100...5_000))))
    }
}
