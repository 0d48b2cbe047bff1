import Testing

@testable import MarqueeTLS

@Suite struct ServerNameTests {
    @Test(arguments: [
        ("films.example", "films.example", true), ("FILMS.example", "films.EXAMPLE", true),
        ("films.example.", "films.example", true), ("a.films.example", "*.films.example", true),
        ("films.example", "other.example", false), ("films.example", "a.films.example", false),
        ("films.example", "*.films.example", false), ("a.b.films.example", "*.films.example", false),
        ("films.example", "*.example", false), ("example", "*", false), ("films.example", "*", false),
        ("a.example", "*.*", false), ("films.example", "f*.example", false), (".example", "*.example", false),
        ("localhost", "localhost", true),
    ])
    func `A certificate is for the names that it has`(name: String, pattern: String, isFor: Bool) {
        #expect(ServerName.matches(name, pattern: pattern) == isFor)
    }
}
