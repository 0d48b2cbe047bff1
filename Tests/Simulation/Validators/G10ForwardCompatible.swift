import MarqueeClient
import MarqueeDiff
import MarqueeModel
import MarqueeWire

/// Unknown kinds and fields survive storage, diffs and re-sending, byte for byte, and end no connection.
struct G10ForwardCompatible: Validator {
    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {
        switch event {
        case .shown(let device, let state):
            guard truth.dialect != nil else { return }
            for section in state.sections {
                for item in section.shown.items where item.kind != Dialect.kind {
                    try check(item, "\(item.id) of \(section.id) on \(state.id), device \(device)")
                }
            }
        case .toServer(_, .close(let status)) where Self.aboutForm.contains(status.reason):
            throw violation("a client closes because of \(status)")
        default: break
        }
    }

    /// Reasons that mean a message was not understood.
    private static let aboutForm: Set<String> = [
        "UNKNOWN_CRITICAL_KIND", "MALFORMED", "TOO_MANY_UNKNOWN_FIELDS", "WRONG_DIRECTION",
    ]

    /// Each body ends with an unknown field determined by the rest of it.
    private func check(_ item: Item, _ what: String) throws(Violation) {
        let length = Dialect.unknownRecord(of: []).count
        // A placeholder for a favorite set offline was never sent.
        guard !item.body.isEmpty else { return }
        let known = Array(item.body.dropLast(length))
        guard item.body.count >= length, Array(item.body.suffix(length)) == Dialect.unknownRecord(of: known) else {
            throw violation("\(what) has lost its unknown field")
        }
    }

    private func violation(_ message: String) -> Violation {
        Violation(guarantee: .forwardCompatible, message: message)
    }
}
