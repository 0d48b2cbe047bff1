import MarqueeCatalogue
package import MarqueeModel
import MarqueeScreens
import MarqueeStore
import MarqueeTypes

/// Records, types and the programme, for publishers who want to see what they change.
extension HubSource {
    package func read(
        _ document: StoredDocument, for connection: ConnectionID,
        completion: @escaping @Sendable (Result<String?, Status>) -> Void
    ) {
        ask(for: connection) { [self] hub in
            switch document {
            case .types:
                let types = hub.screens.typesDocument
                lanes.answering.submit(for: connection) {
                    do throws(StoreError) {
                        let document = try types.map { types throws(StoreError) in try Change.types(types).document() }
                        completion(.success(document.map { String(decoding: $0, as: UTF8.self) }))
                    } catch {
                        completion(.failure(Status(storeError: error)))
                    }
                }
            case .programme: completion(.success(hub.screens.programmeText))
            case .record(let type, let id):
                let record = hub.screens.record(RecordID(type: type, id: id))
                let coder = positions.types?.type(type)?.coder
                lanes.answering.submit(for: connection) {
                    guard let record, let coder else { return completion(.success(nil)) }
                    do throws(RecordError) {
                        completion(.success(try coder.json(of: record)))
                    } catch {
                        completion(.failure(.recordUnreadable(error)))
                    }
                }
            }
        }
    }
}

extension Status {
    fileprivate static func recordUnreadable(_ error: RecordError) -> Status {
        Status(
            .internalError, reason: "RECORD_UNREADABLE", remedy: .fatal,
            message: "the record can't be written as JSON: \(error)")
    }
}
