import Foundation
import MarqueeModel
import MarqueeTLS
import MarqueeWire
import NIOCore
import NIOEmbedded

/// Pressure on what TLS, tokens and limits bring.
extension Mode {
    /// The mode that the other secured modes are compared with.
    static let quiet = Mode(name: "tls-nothing", isSecured: true) { await $0.wait() }

    static let secured: [Mode] = [
        quiet,
        Mode(name: "handshake-flood", isSecured: true) { field in
            await field.again(64) { try await Attacker.open(field.target).close() }
        },
        // Half of them say nothing at all, the others a byte now and then.
        Mode(name: "slow-handshakes", isSecured: true) { field in
            let hello = try Self.clientHello(field)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await field.again(field.connections / 2) { try await field.stay() } }
                group.addTask {
                    await field.again(field.connections / 2) {
                        let attacker = try await Attacker.open(field.target.plain)
                        for index in 0..<hello.readableBytes where !field.isOver && attacker.isOpen {
                            if let byte = hello.getSlice(at: index, length: 1) { attacker.send(byte, messages: 0) }
                            try? await Task.sleep(for: Self.tick)
                        }
                        attacker.close()
                    }
                }
            }
        },
        // A ClientHello makes the server sign. Then nothing comes, or something that it can't decrypt.
        Mode(name: "half-handshakes", isSecured: true) { field in
            let hello = try Self.clientHello(field)
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await field.again(field.connections / 2) { try await field.stay(after: hello) } }
                group.addTask {
                    await field.again(32) {
                        let attacker = try await Attacker.open(field.target.plain)
                        attacker.send(hello, messages: 1)
                        attacker.send(Self.nonsense(), messages: 1)
                        await attacker.untilClosed(atMost: Self.tick)
                        attacker.close()
                    }
                }
            }
        },
        Mode(
            name: "wrong-tokens", isSecured: true,
            evidence: [#"marquee_connections_ended_total{reason="TOKEN_REFUSED"}"#]
        ) { field in
            await field.again(32) {
                let attacker = try await Attacker.open(field.target)
                // As long as a right one.
                let guess = (0..<43).map { _ in "0123456789abcdefghijklmnopqrstuvwxyz-_".randomElement() ?? "0" }
                try await attacker.greet(token: "marquee_" + String(guess))
                attacker.close()
            }
        },
        Mode(
            name: "renewals", isSecured: true, evidence: [#"marquee_limit_hits_total{limit="renewals"}"#]
        ) { field in
            guard let access = field.target.access else { return }
            let tokens = try SiegeAccess.renewing.map { try access.token(of: $0) }
            let crowd = try await field.open(64) { try await $0.greet(token: tokens[0]) }
            await withTaskGroup(of: Void.self) { group in
                for attacker in crowd {
                    group.addTask {
                        var call: UInt32 = 0
                        while !field.isOver, attacker.isOpen {
                            call += 1
                            let body = CallBodyCodec.encodeRenewRequest(token: tokens[Int(call) % tokens.count])
                            // One at a time: the server refuses a second one meanwhile.
                            _ = try? await attacker.ask(.request(Request(call: call, method: .renew, body: body)))
                        }
                        attacker.close()
                    }
                }
            }
        },
        Mode(
            // Variants that nobody shows any more are remembered, up to 64 MiB (`Hub.IdleBounds`), and patches to them.
            name: "many-variants", growth: 192, isSecured: true,
            options: ["--max-variants", "1000", "--max-variants-per-connection", "64"],
            evidence: [
                #"marquee_limit_hits_total{limit="variants"}"#,
                #"marquee_limit_hits_total{limit="variants_per_connection"}"#,
            ]
        ) { field in
            // Some keep what they get until they may show no more; the others come back for ever new views.
            let keeping = 8
            let crowd = try await field.open(64) { try await $0.greet() }
            await withTaskGroup(of: Void.self) { group in
                for (index, attacker) in crowd.enumerated() {
                    group.addTask {
                        if index >= keeping { try? await Task.sleep(for: Self.tick) }
                        var last: UInt32 = 0
                        while !field.isOver, attacker.isOpen {
                            let ids = last + 1...last + 64
                            last += 64
                            await attacker.push(ids.map { Self.detail($0) })
                            try? await Task.sleep(for: Self.tick)
                            if index >= keeping { await attacker.push(ids.map { .unsubscribe($0) }) }
                        }
                        attacker.close()
                    }
                }
            }
        },
        Mode(
            name: "many-connections-one-address", isSecured: true, options: ["--max-connections-per-address", "100"],
            evidence: [#"marquee_limit_hits_total{limit="connections_per_address"}"#]
        ) { field in
            let crowd = try await field.open(100) { try await $0.greet() }
            await field.again(64) { try await Attacker.open(field.target).close() }
            for attacker in crowd { attacker.close() }
        },
        Mode(
            name: "accept-rate", isSecured: true, options: ["--max-accepts", "100"],
            evidence: [#"marquee_limit_hits_total{limit="accepts"}"#],
            // The system's queue knows nobody: 64 are ahead of each newcomer, and 100 a second are accepted.
            newcomersWait: 700
        ) { field in
            await field.again(64) { try await Attacker.open(field.target).close() }
        },
    ]

    /// Between two bytes of a slow handshake, and how long a view is shown.
    private static let tick = Duration.milliseconds(500)

    /// The first record of a handshake, as this software's clients send it.
    private static func clientHello(_ field: Field) throws -> ByteBuffer {
        guard let tls = field.target.tls else { throw SiegeError("the mode needs TLS") }
        let channel = EmbeddedChannel(handlers: try tls.handlers())
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.connect(to: SocketAddress(ipAddress: Target.host, port: field.target.port)).wait()
        guard let hello = try channel.readOutbound(as: ByteBuffer.self) else {
            throw SiegeError("TLS begins without a ClientHello")
        }
        return hello
    }

    /// A record that claims to hold encrypted data (RFC 8446 section 5.2).
    private static func nonsense() -> ByteBuffer {
        let content = (0..<1_000).map { _ in UInt8.random(in: .min ... .max) }
        return ByteBuffer(bytes: [23, 3, 3, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content)
    }
}

extension Mode.Field {
    /// Opens a connection without TLS, sends what is given, and stays until the server has had enough.
    fileprivate func stay(after start: ByteBuffer? = nil) async throws {
        let attacker = try await Attacker.open(target.plain)
        if let start { attacker.send(start, messages: 1) }
        await attacker.untilClosed(atMost: deadline - .now)
        attacker.close()
    }
}

extension Attacker {
    /// Returns when the other side has closed, or after a while.
    fileprivate func untilClosed(atMost time: Duration) async {
        let enough = ContinuousClock.now + time
        while isOpen, .now < enough, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(50)) }
    }
}
