import NIOHTTP1
import Testing

@testable import MarqueeWeb

@Suite("Whose requests are answered")
struct WebGateTests {
    private let gate = WebGate(hosts: ["films.example"], origins: [WebOrigin("https://app.example")].compactMap { $0 })

    private func reason(
        _ fields: KeyValuePairs<String, String>, method: HTTPMethod = .GET, target: String = "/",
        isEncrypted: Bool = false
    ) -> String? {
        let headers = HTTPHeaders(fields.map { ($0.key, $0.value) })
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        do throws(WebProblem) {
            _ = try gate.check(head, isEncrypted: isEncrypted)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:7422", "localhost", "LOCALHOST:7422", "[::1]:7422", "10.0.0.7", "films.example",
        "Films.Example:443",
    ])
    func `Addresses, localhost and given names are accepted`(host: String) {
        #expect(reason(["Host": host]) == nil)
    }

    @Test(arguments: [
        "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "films.example.evil", "2130706433",
    ])
    func `A name that somebody else may point here is refused`(host: String) {
        #expect(reason(["Host": host]) == "HOST_UNKNOWN")
    }

    @Test(arguments: [
        "", "a b", ":80", "127.0.0.1:99999", "127.0.0.1:+80", "user@127.0.0.1", "[::1", "127.0.0.1/x",
    ])
    func `A text that isn't a host is refused`(host: String) { #expect(reason(["Host": host]) != nil) }

    @Test func `A request names one host`() {
        #expect(reason([:]) == "HOST_MISSING")
        #expect(reason(["Host": "localhost", "host": "127.0.0.1"]) == "HOST_MISSING")
    }

    @Test func `A host in the target counts, and the one in the field doesn't`() {
        #expect(reason(["Host": "evil.example"], target: "http://127.0.0.1:7422/v1/screens") == nil)
        #expect(reason(["Host": "evil.example"], target: "HTTPS://Films.Example") == nil)
        #expect(reason(["Host": "evil.example"], target: "http://[::1]:7422?q=1") == nil)
        #expect(reason(["Host": "127.0.0.1"], target: "http://evil.example/v1/screens") == "HOST_UNKNOWN")
        #expect(reason(["Host": "127.0.0.1"], target: "http://evil.example?http://127.0.0.1/") == "HOST_UNKNOWN")
        #expect(reason(["Host": "127.0.0.1"], target: "http://127.0.0.1@evil.example/") == "TARGET_INVALID")
        #expect(reason(["Host": "127.0.0.1"], target: "http:///v1/screens") == "TARGET_INVALID")
        #expect(reason([:], target: "http://127.0.0.1/") == "HOST_MISSING")
        // A page's origin is compared with it, too.
        let page: KeyValuePairs = ["Host": "127.0.0.1:7422", "Origin": "http://127.0.0.1:7422"]
        #expect(reason(page, target: "http://127.0.0.1:7422/") == nil)
        #expect(reason(page, target: "http://films.example/") == "ORIGIN_REFUSED")
    }

    @Test(arguments: [
        "https://evil.example", "null", "http://127.0.0.1:8080", "http://localhost:7422", "https://app.example:444",
        "http://app.example", "https://app.example.evil", "file://", "https://app.example/", "",
    ])
    func `A page of another site is refused`(origin: String) {
        #expect(reason(["Host": "127.0.0.1:7422", "Origin": origin]) == "ORIGIN_REFUSED")
    }

    @Test func `Pages of the same origin, and of sites that are listed, may ask`() {
        #expect(reason(["Host": "127.0.0.1:7422", "Origin": "http://127.0.0.1:7422"]) == nil)
        #expect(reason(["Host": "films.example", "Origin": "https://films.example"]) == nil)
        #expect(reason(["Host": "127.0.0.1:7422", "Origin": "https://app.example"]) == nil)
        #expect(reason(["Host": "127.0.0.1:7422", "Origin": "https://APP.example:443"]) == nil)
    }

    @Test func `Over TLS a page that came without it is of another origin`() {
        let fields: KeyValuePairs = ["Host": "films.example:80", "Origin": "http://films.example"]
        #expect(reason(fields, isEncrypted: true) == "ORIGIN_REFUSED")
        #expect(reason(fields) == nil)
    }

    @Test func `Two origins count as none`() {
        let origins: KeyValuePairs = [
            "Host": "127.0.0.1:1", "Origin": "http://127.0.0.1:1", "origin": "https://evil.example",
        ]
        #expect(reason(origins) == "ORIGIN_REFUSED")
    }

    @Test func `Requests of another site's page are refused, and a link that a person follows isn't`() {
        #expect(
            reason(["Host": "localhost", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"])
                == "ORIGIN_REFUSED")
        #expect(
            reason(["Host": "localhost", "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"])
                == "ORIGIN_REFUSED")
        #expect(
            reason([
                "Host": "localhost", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
                "Sec-Fetch-Dest": "iframe",
            ]) == "ORIGIN_REFUSED")
        #expect(
            reason([
                "Host": "localhost", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
                "Sec-Fetch-Dest": "document",
            ]) == nil)
        let form: KeyValuePairs = [
            "Host": "localhost", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Dest": "document",
        ]
        #expect(reason(form, method: .POST) == "ORIGIN_REFUSED")
        #expect(reason(["Host": "localhost", "Sec-Fetch-Site": "same-origin"]) == nil)
    }

    @Test func `An origin is written without the port of its scheme`() {
        #expect(WebOrigin("HTTPS://App.Example:443")?.description == "https://app.example")
        #expect(WebOrigin("http://[::1]:5173")?.description == "http://[::1]:5173")
    }
}
