import Testing

@testable import MarqueeStore

@Suite struct PostgresURLTests {
    @Test(arguments: [
        ("postgres:///marquee", "'marquee'"),
        ("postgres://db.example/marquee", "'marquee' at db.example"),
        ("postgres://ann:secret@db.example:5433/marquee", "'marquee' at db.example:5433"),
        ("postgres://db1:5433,db2:5434/marquee", "'marquee' at db1:5433, db2:5434"),
        ("postgres://db1,db2:5434/marquee", "'marquee' at db1, db2:5434"),
        ("postgresql:///marquee?host=/run/postgresql&port=5433", "'marquee' at /run/postgresql:5433"),
        ("postgresql:///marquee?host=db1,db2&port=5433", "'marquee' at db1:5433, db2:5433"),
    ])
    func `A database is named with each of its hosts, and without a password`(url: String, place: String) throws {
        #expect(try PostgresURL(url).description == "the PostgreSQL database \(place)")
    }

    @Test(arguments: ["mysql://db.example/marquee", "postgres://ann:se/cret@db.example/marquee", "postgres://db:x/m"])
    func `A URL that can't be read isn't quoted`(url: String) {
        #expect {
            try PostgresURL(url)
        } throws: { error in
            !"\(error)".contains("cret") && "\(error)".contains("can't be read")
        }
    }
}
