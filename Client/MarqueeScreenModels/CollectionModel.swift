public import Foundation
public import MarqueeClient
public import Observation

/// One of the user's collections, such as listening progress.
///
/// `ScreenModel` shows the sections of a screen that list a collection; this model is for an app that needs the members
/// independently of any screen.
@available(iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class CollectionModel {
    /// The collection's name in the server's declaration.
    public let name: CollectionName
    /// The members as shown, newest first; `CollectionMember.isPending` marks those that the server hasn't confirmed.
    public private(set) var members: [CollectionMember] = []
    /// The last changes that were rolled back, with the reasons, oldest first.
    public private(set) var rejected: [RejectedChange] = []
    /// Whether this is the server's current state, apart from pending changes.
    public private(set) var isLive = false
    /// When it was last known to be current; `nil` if never.
    public private(set) var asOf: Date?
    /// The reason why the collection can't be shown or the last change could not be stored; `nil` if there is none.
    public private(set) var error: ClientError?

    @ObservationIgnored private let collection: UserCollection

    /// - Parameters:
    ///   - name: a collection that the server declares, or `favorites`.
    ///   - client: the client of the collection's user.
    public init(_ name: CollectionName, of client: MarqueeClient) {
        self.name = name
        collection = client.collection(name)
    }

    /// A member as shown; `nil` if the subject isn't one.
    public subscript(subject: Subject) -> CollectionMember? { members.first { $0.subject == subject } }

    /// Follows the collection until the task is cancelled or the client closed. Call it from `.task`.
    public func run() async {
        do throws(ClientError) {
            error = nil
            var states = collection.states.makeAsyncIterator()
            while let state = try await states.next() {
                members = state.members
                rejected = state.rejected
                isLive = state.isLive
                asOf = state.asOf
            }
        } catch {
            self.error = error
        }
    }

    /// Makes a subject a member, or gives a member another value. It is shown immediately, as pending.
    public func set(_ subject: Subject, value: CollectionValue? = nil) async {
        await act { collection throws(ClientError) in
            guard let value else { return try await collection.add(subject) }
            return try await collection.set(subject, value: value)
        }
    }

    /// Removes a subject. It disappears immediately, and reappears if the server refuses.
    public func remove(_ subject: Subject) async {
        await act { collection throws(ClientError) in try await collection.remove(subject) }
    }

    private func act(_ action: (UserCollection) async throws(ClientError) -> SubmittedChange) async {
        do throws(ClientError) {
            _ = try await action(collection)
            error = nil
        } catch {
            self.error = error
        }
    }
}
