public import MarqueeModel

/// A person who took part in a movie.
public struct CreditContent: Hashable, Sendable {
    /// `nil` if the id isn't a number; the item's subject holds it.
    public var person: UInt64?
    /// The person's name, as credited.
    public var name: String
    /// The character that an actor plays.
    public var character: String?
    /// Crew only.
    public var job: String?
    /// A picture of the person.
    public var portrait: ImageReference?

    /// A credit.
    public init(
        person: UInt64?, name: String, character: String? = nil, job: String? = nil, portrait: ImageReference? = nil
    ) {
        self.person = person
        self.name = name
        self.character = character
        self.job = job
        self.portrait = portrait
    }
}
