import MarqueeModel

/// The guarantees of the design.
package enum Guarantee: String, CaseIterable, Sendable {
    case monotone = "G1", convergent = "G2", atomic = "G3", verified = "G4", resumable = "G5", readYourWrites = "G6"
    case exactlyOnce = "G7", bounded = "G8", bookmarked = "G9", forwardCompatible = "G10"
}

/// A guarantee that did not hold.
package struct Violation: Error, CustomStringConvertible, Sendable {
    package var guarantee: Guarantee
    package var message: String

    package var description: String { "\(guarantee.rawValue): \(message)" }
}

/// Checks one guarantee against everything that happens.
protocol Validator {
    /// Something happened; the scene and the truth already include it.
    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation)
    /// A device has moved to a new cut, and its app has been fully notified.
    mutating func judge(_ move: Move, _ scene: Scene, _ truth: Truth) throws(Violation)
    /// Nothing new has happened for a while, everyone is connected, and everything is delivered.
    mutating func judgeEnd(_ end: End, _ scene: Scene, _ truth: Truth) throws(Violation)
}

extension Validator {
    mutating func judge(_ event: Event, _ scene: Scene, _ truth: Truth) throws(Violation) {}
    mutating func judge(_ move: Move, _ scene: Scene, _ truth: Truth) throws(Violation) {}
    mutating func judgeEnd(_ end: End, _ scene: Scene, _ truth: Truth) throws(Violation) {}
}
