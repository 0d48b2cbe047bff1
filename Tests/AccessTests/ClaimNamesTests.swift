import Foundation
import MarqueeModel
import MarqueeServer
import Testing

@testable import MarqueeAccess

struct ClaimNamesTests {
    @Test(arguments: [
        #"{"sub":"ana","sub":"root"}"#, #"{"sub":"ana","exp":1,"s\u0075b":"root"}"#, #"{"a":{"b":[1]}, "a" : 2}"#,
        #"{"":1,"":2}"#, #"{"a\"":1,"a\u0022":2}"#,
    ])
    func `A token with a claim that is there twice is refused, whoever signed it`(_ claims: String) async {
        #expect(!ClaimNames.areUnique(in: Array(claims.utf8)))
        func part(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=", with: "")
        }
        let token = "\(part(#"{"alg":"ES256"}"#)).\(part(claims)).AAAA"
        let refusal = await #expect(throws: Status.self) { try await JWTIssuers([]).identity(of: token) }
        #expect(refusal?.message == "the token is not accepted: one of its claims is there twice")
    }

    @Test(arguments: [
        #"{"a":{"a":{"a":1}},"b":["a",{"b":1},"b"],"c":"a","d":"\":{"}"#, "{}", #"{"a":1,"A":2,"a ":3}"#,
    ])
    func `Names within claims, and texts that look like names, don't count`(_ claims: String) {
        #expect(ClaimNames.areUnique(in: Array(claims.utf8)))
    }
}
