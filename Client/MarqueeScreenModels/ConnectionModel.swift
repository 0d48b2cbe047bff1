public import MarqueeClient
public import Observation

/// The connection of an app, and the changes that the server refused, for views to show.
@available(iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class ConnectionModel {
    /// A change that was rolled back.
    public struct Rejection: Hashable, Sendable {
        /// The collection of the change.
        public var collection: CollectionName
        /// The subject that it would have set or unset.
        public var subject: Subject
        /// The reason.
        public var error: ClientError
    }

    /// The most rejections kept; older ones are dropped.
    public static let maximumRejections = 16

    /// The state of the client's connection.
    public private(set) var state = ConnectionState.idle
    /// Changes that were rolled back, oldest first, until `clearRejectedChanges`.
    public private(set) var rejections: [Rejection] = []

    @ObservationIgnored private let client: MarqueeClient

    /// Creates a model that follows nothing until `run`.
    public init(of client: MarqueeClient) { self.client = client }

    /// Whether a server is connected and has accepted the client.
    public var isConnected: Bool { if case .connected = state { true } else { false } }

    /// Follows the client until the task is cancelled or the client closed. Call it from `.task`.
    public func run() async {
        for await event in client.events {
            switch event {
            case .state(let new): state = new
            case .changeRejected(let collection, let subject, let error):
                rejections.append(Rejection(collection: collection, subject: subject, error: error))
                rejections = rejections.suffix(Self.maximumRejections)
            default: break
            }
        }
    }

    /// Forgets the rejections, once the person has seen them.
    public func clearRejectedChanges() async {
        rejections = []
        do throws(ClientError) { try await client.clearRejectedChanges() } catch {
            // They will be shown again next time; nothing else is lost.
        }
    }
}
