public import Foundation
public import MarqueeClient
public import Observation

/// One of the user's collections on its own, such as the progress of what someone listens to.
///
/// A screen's sections that list a collection are shown by `ScreenModel`; this is for an app that needs the members
/// wherever they are.
@available(iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class CollectionModel {
    /// The collection, as the server declares it.
    public let name: CollectionName
    /// As they are shown, newest first; `CollectionMember.isPending` says what the server has yet to confirm.
    public private(set) var members: [CollectionMember] = []
    /// The last changes that were rolled back, and why, oldest first.
    public private(set) var rejected: [RejectedChange] = []
    /// Whether this is what the server has now, apart from what is pending.
    public private(set) var isLive = false
    /// When it was last known to be current; `nil` for never.
    public private(set) var asOf: Date?
    /// Why the collection can't be shown, or the last change could not be stored; `nil` when all is well.
    public private(set) var error: ClientError?

    @ObservationIgnored private let collection: UserCollection

    /// - Parameters:
    ///   - name: a collection that the server declares, or `favorites`.
    ///   - client: whose collection it is.
    public init(_ name: CollectionName, of client: MarqueeClient) {
        self.name = name
        collection = client.collection(name)
    }

    /// A member as it is shown; `nil` if the subject isn't one.
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

    /// Makes something a member, or gives a member another value. It is shown at once, as pending.
    public func set(_ subject: Subject, value: CollectionValue? = nil) async {
        await act { collection throws(ClientError) in try await collection.set(subject, value: value) }
    }

    /// Takes something out. It disappears at once, and comes back if the server refuses.
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
