package import MarqueeModel
import MarqueeStore
import Synchronization

// The check of a publication. It takes turns with the requests of other connections.

extension HubSource {
    package func check(
        _ documents: [[UInt8]], by identity: Identity, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<[PublicationMistake], Status>) -> Void
    ) {
        if documents.contains(where: Undo.isUndo) {
            return lanes.reading.submit(for: connection) { [self] in
                do throws(Status) {
                    _ = try changes(of: documents, by: identity)
                    completion(.success([]))
                } catch {
                    guard error.code == .invalidArgument || error.code == .permissionDenied else {
                        return completion(.failure(error))
                    }
                    let index = documents.firstIndex(where: Undo.isUndo) ?? 0
                    completion(
                        .success([
                            PublicationMistake(change: index, path: "undo", reason: error.reason, detail: error.message)
                        ]))
                }
            }
        }
        lanes.reading.submit(for: connection) { [self] in
            do throws(Status) {
                let order = try Self.draftOrder(of: documents)
                if let order, let refusal = Authoriser.refusal(of: .draft(order.name), to: identity) { throw refusal }
                var types = positions.types
                if let order, let draft = try draft(order.name) { types = self.types(with: draft) }
                let check = PublicationCheck(
                    documents, skipping: order == nil ? 0 : 1, by: identity, types: types)
                goOn(UnfinishedCheck(check), for: connection, completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    /// A check that is done in parts, one each turn.
    private final class UnfinishedCheck: Sendable {
        let check: Mutex<PublicationCheck>

        init(_ check: consuming PublicationCheck) { self.check = Mutex(check) }
    }

    /// Checks the next part when it is the connection's turn. Called on the lane that reads.
    private func goOn(
        _ unfinished: UnfinishedCheck, for connection: ConnectionID,
        _ completion: @escaping @Sendable (Result<[PublicationMistake], Status>) -> Void
    ) {
        let mistakes = unfinished.check.withLock { check in
            check.read()
            return check.isDone ? check.mistakes : nil
        }
        if let mistakes { return completion(.success(mistakes)) }
        lanes.reading.resume(for: connection) { [self] in goOn(unfinished, for: connection, completion) }
    }
}
