import Foundation
import MarqueeModel
import PostgresSupport
import Testing

@testable import MarqueeStore

extension PostgresTests {
    /// TLS to the database, as configured in libpq's URLs.
    @Suite struct PostgresProtectionTests {
        @Test func `Every connection is encrypted, and the server's certificate is verified`() throws {
            let server = try PostgresServer(hasTLS: true)
            defer { server.stop() }
            let address = "host=localhost&hostaddr=127.0.0.1&port=\(try #require(server.port))&user=marquee"
            func url(_ authority: String) -> String {
                "postgres:///postgres?\(address)&sslmode=verify-full&sslrootcert=\(authority)&application_name=secure"
            }
            let store = try PostgresStore(url: url(server.certificate))
            try store.commit(Sample.page(1))
            try store.setFavorite("episode/1", .of(1, 1))
            #expect(try store.catalogueHead().revision == 1)
            let secure = "FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'secure'"
            #expect(try server.run("SELECT count(*) > 1 AND bool_and(ssl) \(secure)") == "t")
            try store.close()

            let other = try PostgresServer(hasTLS: true)
            defer { other.stop() }
            let error = #expect(throws: StoreError.self) { try PostgresStore(url: url(other.certificate)) }
            #expect(error.map { "\($0) \($0.cause ?? "")" }?.contains("certificate verify failed") == true)
        }
    }
}
