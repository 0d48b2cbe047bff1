/// A rating certificate as issued by one country.
public struct CertificationContent: Hashable, Sendable {
    public enum ColorClass: String, Hashable, Sendable, CaseIterable { case everyone, teen, adult, unrated }

    public var country: String
    /// Such as `PG-13`; `NR` for a movie without one.
    public var code: String
    public var label: String
    public var colorClass: ColorClass

    public init(country: String, code: String, label: String, colorClass: ColorClass) {
        self.country = country
        self.code = code
        self.label = label
        self.colorClass = colorClass
    }
}
