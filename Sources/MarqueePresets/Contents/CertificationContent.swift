/// A rating certificate as issued by one country.
public struct CertificationContent: Hashable, Sendable {
    /// The audience it is for, which decides its colour.
    public enum ColorClass: String, Hashable, Sendable, CaseIterable { case everyone, teen, adult, unrated }

    /// Two letters, ISO 3166-1, such as `US`.
    public var country: String
    /// Such as `PG-13`; `NR` for a movie without one.
    public var code: String
    /// The meaning of the code, such as `Parental guidance`.
    public var label: String
    /// The audience, which decides its colour.
    public var colorClass: ColorClass

    /// A certificate.
    public init(country: String, code: String, label: String, colorClass: ColorClass) {
        self.country = country
        self.code = code
        self.label = label
        self.colorClass = colorClass
    }
}
