import ArgumentParser
import Testing

@testable import marquee_server

struct ListenAddressTests {
    @Test(arguments: ["127.0.0.1:7420", "localhost:0", "[::1]:65535", "0.0.0.0:1", "films.example:80"])
    func `An address is printed as written`(text: String) throws {
        #expect(try ListenAddress(parsing: text).description == text)
    }

    @Test(arguments: [
        "127.0.0.1", "", ":7420", "[]:7420", "::1:7420", "localhost:", "localhost:65536", "localhost:-1", "localhost:٣",
    ])
    func `Anything but a host and a port is refused`(text: String) {
        #expect(throws: ValidationError.self) { try ListenAddress(parsing: text) }
    }

    @Test(arguments: ["127.0.0.1:1", "127.255.0.3:1", "localhost:1", "LOCALHOST:1", "[::1]:1"])
    func `Addresses only this machine can reach are loopback`(text: String) throws {
        #expect(try ListenAddress(parsing: text).isLoopback)
    }

    @Test(arguments: [
        "0.0.0.0:1", "[::]:1", "192.168.0.127:1", "127.0.0.1.example:1", "1270.0.0.1:1", "[::2]:1", "[1::1]:1",
    ])
    func `Addresses others could reach are not loopback`(text: String) throws {
        #expect(try !ListenAddress(parsing: text).isLoopback)
    }
}
