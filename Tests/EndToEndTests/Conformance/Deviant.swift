import MarqueeWire
import Testing

/// A peer that deviates in one way, and the checks that have to find it.
struct Deviant: Sendable, CustomTestStringConvertible {
    /// The peer's fault, as a sentence.
    var sentence: String
    /// The checks that fail, each with words from its expectation.
    var finds: [String: String]
    /// Made for each connection.
    var tampering: @Sendable () -> Tampering

    init(_ sentence: String, finds: [String: String], _ tampering: @escaping @Sendable () -> Tampering) {
        self.sentence = sentence
        self.finds = finds
        self.tampering = tampering
    }

    /// A peer that sends something other than it should.
    /// - Parameter change: `nil` for a message that isn't changed; an empty list for one that is never said.
    static func saying(
        _ sentence: String, finds: [String: String], _ change: @escaping @Sendable (Message) -> [Message]?
    ) -> Deviant {
        Deviant(sentence, finds: finds) { Tampering(fromPeer: rule(change)) }
    }

    /// A peer that misreads what it receives.
    static func hearing(
        _ sentence: String, finds: [String: String], _ change: @escaping @Sendable (Message) -> [Message]?
    ) -> Deviant {
        Deviant(sentence, finds: finds) { Tampering(fromRunner: rule(change)) }
    }

    private static func rule(_ change: @escaping @Sendable (Message) -> [Message]?) -> Tampering.Rule {
        { frame in
            guard let message = frame.message, let changed = change(message) else { return .pass(frame) }
            return Passage(on: changed.map { PassingFrame($0, flags: frame.flags) })
        }
    }

    var testDescription: String { sentence }
}
