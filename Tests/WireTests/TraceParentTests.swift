import Testing

@testable import MarqueeWire

@Suite struct TraceParentTests {
    private static let example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func `The example of the specification is read`() throws {
        let trace = try #require(TraceParent(Self.example))
        #expect(trace.text == Self.example)
        #expect(trace.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(trace.parentID == "00f067aa0ba902b7")
    }

    @Test func `The first four parts of a later version are read`() {
        let later = "01" + Self.example.dropFirst(2)
        #expect(TraceParent(later)?.text == later)
        #expect(TraceParent(later + "-more")?.text == later)
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
        "00-4bf92f3577b34da6a3ce929d0e0e47360-0f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
    ])
    func `Anything else isn't a trace`(text: String) { #expect(TraceParent(text) == nil) }

    @Test func `A request carries its trace, and an invalid one is left out`() throws {
        let request = Request(call: 1, method: .health, trace: TraceParent(Self.example))
        let frame = try #require(try Self.frame(.request(request)))
        #expect(try MessageCodec.decode(frame, limits: .server) == .request(request))
    }

    private static func frame(_ message: Message) throws -> Frame? {
        var decoder = FrameDecoder(maximumLength: Frame.maximumLength)
        decoder.append(MessageCodec.encode(message, flags: []))
        return try decoder.next()
    }
}
