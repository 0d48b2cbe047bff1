import NIOCore
import NIOEmbedded
import Testing

@testable import MarqueeServer

@Suite struct ProxyHeaderTests {
    private static let v4: [UInt8] = [192, 0, 2, 7, 10, 0, 0, 1, 0xC3, 0x50, 0x1C, 0xFC]
    private static let v6: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [9] + [UInt8](repeating: 0, count: 15)
        + [1, 0xC3, 0x50, 0x1C, 0xFC]

    private func header(_ kind: UInt8, _ family: UInt8, _ rest: [UInt8]) -> ByteBuffer {
        let length = UInt16(rest.count)
        return ByteBuffer(
            bytes: ProxyHeader.signature + [kind, family, UInt8(length >> 8), UInt8(length & 0xFF)] + rest)
    }

    private func source(_ reading: ProxyHeader.Reading) -> String? {
        if case .whole(let source, _) = reading { source?.text ?? "its own" } else { nil }
    }

    @Test func `The client's address is read, whatever else the balancer says`() {
        #expect(source(ProxyHeader.read(header(0x21, 0x11, Self.v4))) == "192.0.2.7:50000")
        #expect(source(ProxyHeader.read(header(0x21, 0x21, Self.v6))) == "[2001:db8::9]:50000")
        let more = header(0x21, 0x11, Self.v4 + [0x04, 0, 1, 0])
        #expect(source(ProxyHeader.read(more)) == "192.0.2.7:50000")
        guard case .whole(_, length: 32) = ProxyHeader.read(more) else {
            Issue.record("the rest of the header isn't left out")
            return
        }
    }

    @Test func `A balancer's own connection keeps its address`() {
        #expect(source(ProxyHeader.read(header(0x20, 0x00, []))) == "its own")
        #expect(source(ProxyHeader.read(header(0x20, 0x11, Self.v4))) == "its own")
        #expect(source(ProxyHeader.read(header(0x21, 0x00, [1, 2, 3]))) == "its own")
    }

    @Test func `A header is awaited byte by byte, and every other beginning is wrong`() {
        let whole = header(0x21, 0x11, Self.v4)
        for length in 0..<whole.readableBytes {
            #expect(ProxyHeader.read(whole.getSlice(at: 0, length: length) ?? whole) == .incomplete)
        }
        for wrong in [
            ByteBuffer(string: "PROXY TCP4 192.0.2.7 10.0.0.1 50000 7420\r\n"), header(0x11, 0x11, Self.v4),
            header(0x22, 0x11, Self.v4), header(0x21, 0x12, Self.v4), header(0x21, 0x11, Array(Self.v4.dropLast())),
            header(0x21, 0x21, Self.v4), header(0x21, 0x11, [UInt8](repeating: 0, count: ProxyHeader.maximumLength)),
        ] {
            guard case .wrong = ProxyHeader.read(wrong) else {
                Issue.record("\(wrong) was taken")
                continue
            }
        }
    }

    @Test func `What follows the header goes to the client's session`() throws {
        let channel = EmbeddedChannel()
        var served: [String?] = []
        let handler = ProxyHeaderHandler(
            patience: .seconds(10), serve: { served.append($1?.text) }, refuse: { _, why in Issue.record("\(why)") })
        try channel.pipeline.syncOperations.addHandler(handler)
        var bytes = header(0x21, 0x11, Self.v4)
        bytes.writeString("hello")
        for byte in bytes.readableBytesView { try channel.writeInbound(ByteBuffer(bytes: [byte])) }
        var read = ""
        while let part = try channel.readInbound(as: ByteBuffer.self) { read += String(buffer: part) }
        #expect(read == "hello" && served == ["192.0.2.7:50000"])
        _ = try channel.finish()
    }

    @Test func `A header from an address that isn't trusted ends the connection, and anything else passes`() throws {
        for (beginning, isRefused) in [
            (header(0x21, 0x11, Self.v4), true), (ByteBuffer(string: "\r\n\r\nx"), false),
        ] {
            let channel = EmbeddedChannel()
            var reasons = 0
            try channel.pipeline.syncOperations.addHandler(ProxyHeaderGuard { _, _ in reasons += 1 })
            try channel.connect(to: SocketAddress(ipAddress: "192.0.2.7", port: 1)).wait()
            for byte in beginning.readableBytesView where channel.isActive {
                try channel.writeInbound(ByteBuffer(bytes: [byte]))
            }
            #expect(reasons == (isRefused ? 1 : 0) && channel.isActive != isRefused)
            let passed = try channel.readInbound(as: ByteBuffer.self)
            #expect((passed == nil) == isRefused)
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }

    @Test func `Networks contain the addresses of their first bits`() throws {
        func contains(_ network: String, _ address: String) throws -> Bool {
            try #require(AddressNetwork(network)).contains(try SocketAddress(ipAddress: address, port: 1))
        }
        #expect(try contains("10.0.0.0/8", "10.255.1.2") && !contains("10.0.0.0/8", "11.0.0.1"))
        #expect(try contains("10.0.0.7", "10.0.0.7") && !contains("10.0.0.7", "10.0.0.6"))
        #expect(try contains("10.0.0.128/25", "10.0.0.200") && !contains("10.0.0.128/25", "10.0.0.100"))
        #expect(try contains("0.0.0.0/0", "1.2.3.4") && !contains("0.0.0.0/0", "::1"))
        #expect(AddressNetwork("::/0")?.isEverything == true && AddressNetwork("0.0.0.0/1")?.isEverything == false)
        #expect(try contains("2001:db8::/33", "2001:db8:7fff::1") && !contains("2001:db8::/33", "2001:db8:8000::1"))
        #expect(try contains("10.0.0.0/8", "::ffff:10.1.2.3"))
        for wrong in ["", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/", "10.0.0.0/8/8", "::1/129", "films.example"] {
            #expect(AddressNetwork(wrong) == nil, "\(wrong)")
        }
    }
}
