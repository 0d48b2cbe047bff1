import Crypto
import Foundation
import MarqueeWire
import NIOCore

/// Pressure on the web door.
extension Mode {
    /// The mode that the others at the door are compared with.
    static let webCalm = Mode(name: "web-nothing", place: .web) { await $0.wait() }

    static let web: [Mode] = [
        webCalm,
        // Heads that never end, that are too large, and that are no heads.
        Mode(name: "web-heads", place: .web, evidence: [#"marquee_limit_hits_total{limit="web_heads"}"#]) { field in
            let large = ByteBuffer(
                string: "GET /v1/screens/home HTTP/1.1\r\nX: " + String(repeating: "a", count: 1 << 20))
            let many = ByteBuffer(
                string: "GET / HTTP/1.1\r\n" + (0..<2_000).map { "X-\($0): siege\r\n" }.joined() + "\r\n")
            await field.again(16) {
                let attacker = try await Attacker.open(field.door)
                switch Int.random(in: 0..<3) {
                case 0: attacker.send(large, messages: 1)
                case 1: attacker.send(many, messages: 1)
                default:
                    attacker.send(
                        ByteBuffer(bytes: (0..<2_000).map { _ in UInt8.random(in: .min ... .max) }), messages: 1)
                }
                try await Task.sleep(for: .milliseconds(5))
                attacker.close()
            }
        },
        Mode(name: "web-slow-heads", place: .web) { field in
            let head = ByteBuffer(string: "GET /v1/screens/home HTTP/1.1\r\nX: " + String(repeating: "a", count: 500))
            try await field.crowdAtDoor { await $0.drip(head, until: field) }
        },
        Mode(name: "web-slow-uploads", place: .web) { field in
            let head = request("POST /v1/publish", ["Content-Type: application/json", "Content-Length: 1000000"])
            let body = ByteBuffer(repeating: 0x20, count: 1_000)
            try await field.crowdAtDoor { attacker in
                attacker.send(head, messages: 1)
                await attacker.drip(body, until: field)
            }
        },
        // 64 MiB of nothing in 400 kB.
        Mode(name: "web-gzip-bombs", place: .web, evidence: [#"marquee_limit_hits_total{limit="web_bodies"}"#]) {
            field in
            let bomb = Gzip.zeros(64 << 20)
            let head = request(
                "POST /v1/publish",
                [
                    "Content-Type: application/x-ndjson", "Content-Encoding: gzip",
                    "Content-Length: \(bomb.readableBytes)",
                ])
            await field.again(16) {
                let attacker = try await Attacker.open(field.door)
                attacker.send(head, messages: 0)
                try await attacker.ask(bomb)
                attacker.close()
            }
        },
        Mode(name: "web-reads", place: .web) { field in
            let request = request("GET /v1/screens/large")
            await field.again(20) {
                let attacker = try await Attacker.open(field.door)
                for _ in 0..<100 where !field.isOver { try await attacker.ask(request) }
                attacker.close()
            }
        },
        Mode(name: "web-answers-not-read", place: .web) { field in
            let requests = ByteBuffer(
                string: String(repeating: "GET /v1/screens/large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", count: 16))
            try await field.crowdAtDoor(min(100, field.connections)) { attacker in
                attacker.stopReading()
                attacker.send(requests, messages: 16)
            }
        },
        // A slow reader costs only what it was sent last.
        Mode(name: "web-sleeping-readers", place: .web) { field in
            let request = request("GET /v1/screens/large", ["Accept: text/event-stream"])
            try await field.crowdAtDoor { attacker in
                attacker.stopReading()
                attacker.send(request, messages: 1)
            }
        },
        Mode(name: "web-event-churn", place: .web) { field in
            await field.again(32) {
                let attacker = try await Attacker.open(field.door)
                try await attacker.ask(request("GET /v1/screens/home", ["Accept: text/event-stream"]))
                attacker.reset()
            }
        },
        Mode(name: "web-sockets", place: .web, evidence: [#"marquee_limit_hits_total{limit="web_messages"}"#]) {
            field in
            // Unmasked, with a reserved bit, text, a split ping, a length of 2^63 - 1, a continuation of nothing.
            let wrong: [[UInt8]] = [
                [0x82, 0x01, 0x00], [0xC2, 0x80, 0, 0, 0, 0], [0x81, 0x80, 0, 0, 0, 0], [0x09, 0x80, 0, 0, 0, 0],
                [0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], [0x80, 0x80, 0, 0, 0, 0],
            ]
            await field.again(32) {
                let attacker = try await Attacker.open(field.door)
                try await attacker.ask(upgrade)
                attacker.send(ByteBuffer(bytes: wrong.randomElement() ?? []), messages: 1)
                try await Task.sleep(for: .milliseconds(5))
                attacker.close()
            }
        },
        Mode(name: "web-pings", place: .web) { field in
            let pings = ByteBuffer(bytes: (0..<1_000).flatMap { _ in [0x89, 0x80, 0, 0, 0, 0] as [UInt8] })
            try await field.crowdAtDoor(20) { attacker in
                _ = try? await attacker.ask(upgrade)
                while !field.isOver, attacker.isOpen { await attacker.push(pings, messages: 1_000) }
            }
        },
        // Pages of other sites, and names that lead here.
        Mode(name: "web-others", place: .web, evidence: [#"marquee_limit_hits_total{limit="web_origins"}"#]) { field in
            let requests = [
                request("GET /v1/screens/home", host: "siege.example"),
                request("POST /v1/publish", ["Origin: https://siege.example", "Content-Length: 2"]),
            ]
            await field.again(32) {
                let attacker = try await Attacker.open(field.door)
                if let request = requests.randomElement() { try await attacker.ask(request) }
                attacker.close()
            }
        },
        // A signature of a delivery that was taken, over and over, and some that are wrong.
        Mode(name: "web-signatures", place: .web) { field in
            let taken = SiegeHook.delivery(at: Int(Date().timeIntervalSince1970))
            await field.again(20) {
                let attacker = try await Attacker.open(field.door)
                for turn in 0..<100 where !field.isOver {
                    let (fields, body) = turn.isMultiple(of: 2) ? taken : SiegeHook.delivery(at: turn)
                    let head = request("POST /v1/hooks/siege", fields + ["Content-Length: \(body.utf8.count)"])
                    try await attacker.ask(ByteBuffer(string: String(buffer: head) + body))
                }
                attacker.close()
            }
        },
    ]

    private static let upgrade = request(
        "GET /v1/connect",
        [
            "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: marquee.v1",
        ])

    private static func request(_ line: String, _ fields: [String] = [], host: String = "127.0.0.1") -> ByteBuffer {
        ByteBuffer(string: (["\(line) HTTP/1.1", "Host: \(host)"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }
}

extension Mode.Field {
    /// The web door.
    fileprivate var door: Target {
        var target = target
        target.port = webPort
        return target
    }

    /// Many connections to the door that do one thing and stay.
    fileprivate func crowdAtDoor(
        _ count: Int? = nil, _ act: @escaping @Sendable (Attacker) async -> Void
    ) async throws {
        var field = self
        field.target = door
        try await field.crowd(count, greets: false, act)
    }
}

extension Attacker {
    /// Sends a byte now and then.
    fileprivate func drip(_ bytes: ByteBuffer, until field: Mode.Field) async {
        for index in 0..<bytes.readableBytes where !field.isOver && isOpen {
            if let byte = bytes.getSlice(at: index, length: 1) { send(byte, messages: 0) }
            try? await Task.sleep(for: .milliseconds(500))
        }
    }
}

/// A hook of the server under siege.
enum SiegeHook {
    private static let secret = "the secret of a siege, of 32 bytes or more"

    /// Writes the file of hooks and its secret.
    /// - Returns: the options of `serve` for the door.
    static func options(_ folder: URL) throws -> [String] {
        let hooks = """
            hooks:
              siege:
                signature:
                  header: X-Signature
                  secret: hook.secret
                  time: X-Time
                changes:
                  - merge: {type: movie, id: $movie, record: {voteCount: $votes}}

            """
        let file = folder.appending(path: "hooks.yaml")
        try Data(hooks.utf8).write(to: file)
        let secretFile = folder.appending(path: "hook.secret")
        try Data(secret.utf8).write(to: secretFile)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secretFile.path)
        return ["--web", "\(Target.host):0", "--web-hooks", file.path]
    }

    /// A delivery that is signed.
    static func delivery(at seconds: Int) -> (fields: [String], body: String) {
        let body = #"{"movie": "1", "votes": 7}"#
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(seconds).\(body)".utf8), using: SymmetricKey(data: Data(secret.utf8)))
        let signature = code.map { String(format: "%02x", $0) }.joined()
        return (["Content-Type: application/json", "X-Time: \(seconds)", "X-Signature: \(signature)"], body)
    }
}

/// Bytes that unpack to far more (RFC 1951 and 1952).
enum Gzip {
    /// So many zeros or a few more: a literal, then its repetition, 258 at a time, by the fixed codes.
    static func zeros(_ count: Int) -> ByteBuffer {
        var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        var (bits, filled) = (UInt32(0), UInt32(0))
        func put(_ value: UInt32, _ width: UInt32) {
            bits |= value << filled
            filled += width
            while filled >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                (bits, filled) = (bits >> 8, filled - 8)
            }
        }
        // The last block, with fixed codes; the literal 0.
        put(0b011, 3)
        put(0b0000_1100, 8)
        for _ in 0...count / 258 {
            // Length 258 is 1100 0101, written from its first bit; distance 1 is 00000.
            put(0b1010_0011, 8)
            put(0, 5)
        }
        // The end of the block; checksum and length are never reached.
        put(0, 7)
        put(0, 7)
        return ByteBuffer(bytes: bytes + [UInt8](repeating: 0, count: 8))
    }
}
