import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Synchronization

/// Fan-out by gRPC as its users write it: a server-streaming call for each subscriber, and a stream of publications.
@main
enum GRPCFanout {
    static func main() async throws {
        let transport = HTTP2ServerTransport.Posix(
            address: .ipv4(host: "127.0.0.1", port: 0), transportSecurity: .plaintext)
        let server = GRPCServer(transport: transport, services: [FanoutService()])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            if let address = try await transport.listeningAddress.ipv4 {
                print("ready on 127.0.0.1:\(address.port): gRPC")
                // Read by another process while this one runs.
                try Output.flush()
            }
            try await group.waitForAll()
        }
    }
}

/// `Subscribe` gets every message that `Publish` sends; each of these is answered by an empty one.
private final class FanoutService: RegistrableRPCService {
    /// Messages that a subscriber may be behind. It loses further ones, and the benchmark fails.
    private static let waitingMessages = 1_024

    private let subscribers = Mutex((next: 0, streams: [Int: AsyncStream<[UInt8]>.Continuation]()))

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
        router.registerHandler(
            forMethod: MethodDescriptor(fullyQualifiedService: "bench.Fanout", method: "Subscribe"),
            deserializer: PlainBytes(), serializer: PlainBytes()
        ) { _, _ in
            StreamingServerResponse { writer in
                let (messages, stream) = AsyncStream.makeStream(
                    of: [UInt8].self, bufferingPolicy: .bufferingOldest(Self.waitingMessages))
                let id = self.subscribers.withLock { subscribers in
                    subscribers.next += 1
                    subscribers.streams[subscribers.next] = stream
                    return subscribers.next
                }
                defer { self.subscribers.withLock { $0.streams[id] = nil } }
                // The first one says that the subscription is there.
                try await writer.write([])
                for await message in messages { try await writer.write(message) }
                return [:]
            }
        }
        router.registerHandler(
            forMethod: MethodDescriptor(fullyQualifiedService: "bench.Fanout", method: "Publish"),
            deserializer: PlainBytes(), serializer: PlainBytes()
        ) { request, _ in
            StreamingServerResponse { writer in
                try await writer.write([])
                for try await message in request.messages {
                    self.subscribers.withLock { for stream in $0.streams.values { stream.yield(message) } }
                    try await writer.write([])
                }
                return [:]
            }
        }
    }
}

/// Messages as they are.
private struct PlainBytes: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) throws -> Bytes { Bytes(message) }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> [UInt8] {
        bytes.withUnsafeBytes { Array($0) }
    }
}
