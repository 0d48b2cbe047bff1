import MarqueeAccess
@_spi(Admin) import MarqueeClient
import MarqueeModel
import MarqueeServer
import MarqueeStore
import MarqueeWire
import Testing

/// Tests of what clients can learn of, or do to, others' data.
@Suite struct ScopeLeakTests {
    private static func client(_ scopes: String...) async throws -> (Harness, MarqueeClient) {
        let (token, hash) = Token.make()
        var file = TokenFile()
        try file.add(TokenFile.Entry(name: "a", user: "ana", hash: hash, scopes: Scopes(scopes), expires: nil))
        let harness = try await Harness(
            authenticator: AccessAuthenticator(TokenRegister(file), anonymous: .readOnly))
        return (harness, try harness.client(user: "ana", token: token))
    }

    @Test func `Screens are described without a record that may not be seen`() async throws {
        let (harness, client) = try await Self.client("read home", "read detail/680")
        let screens = try await client.describe().screens
        #expect(screens.map(\.pattern) == ["home", "detail/<movie>"])
        #expect(screens.map(\.example?.name) == ["home", nil])
        let anybody = try await harness.client().describe().screens
        let example = try #require(anybody.first { $0.pattern == "detail/<movie>" }?.example)
        #expect(example.name.hasPrefix("detail/"))
        await harness.stop()
    }

    @Test func `Counts are for those who may see every screen`() async throws {
        let (harness, client) = try await Self.client("read home")
        let health = try await client.health()
        #expect(health.state == "serving" && !health.hasCounts)
        #expect(health.records.isEmpty && health.sessions == 0)
        let all = try await harness.client().health()
        #expect(all.hasCounts && all.sessions > 0 && !all.records.isEmpty)
        await harness.stop()
    }

    /// Numbers rise within a client: one that is as large as can be would have all later ones count as forgotten.
    @Test func `Somebody else who knows a client's id changes nothing for it`() async throws {
        let harness = try await Harness()
        let id = [UInt8](repeating: 7, count: Hello.clientIDBytes)
        for (user, number) in [("ben", UInt64(1) << 62), ("ana", 1), (nil, 1 << 61), ("ana", 2)] {
            let connection = try await RawConnection.open(port: harness.server.summary.port)
            let welcome = try #require(try await connection.greet(user: user, id: id))
            let method: MarqueeWire.Method = user == nil ? .publish : .collection
            let body =
                user == nil
                ? CallBodyCodec.encode(
                    PublishRequest(
                        number: number, answeredThrough: 0, key: nil, index: 0, last: true,
                        changes: [Array(Harness.update(680, #""popularity": 1.5"#).utf8)]))
                : CallBodyCodec.encode(
                    CollectionRequest(
                        number: number, answeredThrough: number - 1, collection: .favorites, subject: "movie/680",
                        isMember: number != 2))
            try await connection.send(.request(Request(call: 1, method: method, body: body)))
            for await message in connection.messages {
                guard case .answer(let answer) = message else { continue }
                #expect(answer.status == nil, "\(user ?? "nobody"): \(answer.status?.reason ?? "")")
                break
            }
            #expect(welcome.lastMutation == (number == 2 ? 1 : nil), "\(user ?? "nobody")")
            await connection.close()
        }
        await harness.stop()
    }
}
