import Foundation
import MarqueeMirror
import MarqueeModel

/// Readers of collections, apart from screens.
extension ClientEngine {
    func observe(_ collection: CollectionName, _ mailbox: Mailbox<CollectionState>) {
        guard !isStopped else { return mailbox.finish(ClientError.closed) }
        guard configuration.user != nil else { return mailbox.finish(MarqueeClient.notSignedIn) }
        do throws(MirrorError) { mailbox.put(try state(of: collection)) } catch {
            return mailbox.finish(ClientError(mirror: error))
        }
        collectionReaders[collection, default: [:]][ObjectIdentifier(mailbox)] = mailbox
        connectIfNeeded()
    }

    func unobserve(_ collection: CollectionName, _ mailbox: Mailbox<CollectionState>) {
        collectionReaders[collection]?[ObjectIdentifier(mailbox)] = nil
        if collectionReaders[collection]?.isEmpty == true { collectionReaders[collection] = nil }
    }

    func state(of collection: CollectionName) throws(MirrorError) -> CollectionState {
        let view = watched[collectionSet]
        return CollectionState(
            name: collection, members: members(of: collection), pendingRemovals: overlay[collection].pendingRemovals,
            rejected: try mirror.rejections().filter { $0.collection == collection }.map { RejectedChange($0) },
            isLoaded: collectionsAreKnown, isLive: core.isLive(collectionSet),
            asOf: view.flatMap { $0.asOf == 0 ? nil : Date(timeIntervalSince1970: $0.asOf) })
    }

    /// Shows all collections again if they have become known, current or stale.
    func showCollectionsStatus() {
        let status = CollectionsStatus(isLoaded: collectionsAreKnown, isLive: core.isLive(collectionSet))
        guard status != collectionsStatus else { return }
        collectionsStatus = status
        showCollections(collectionReaders.keys)
    }

    struct CollectionsStatus: Hashable {
        var isLoaded = false
        var isLive = false
    }

    /// Shows collections that may look different.
    func showCollections(_ names: some Sequence<CollectionName>) {
        if collectionReaders.isEmpty { return }
        for name in names {
            guard let readers = collectionReaders[name] else { continue }
            do throws(MirrorError) {
                let state = try state(of: name)
                for mailbox in readers.values { mailbox.put(state) }
            } catch {
                // Readers keep their last state.
                mirrorFailed(error)
            }
        }
    }
}
