import Foundation
import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON

/// One JSON object per line for programs. The format is documented in Docs/cli-output.md.
enum NDJSONWriter {
    /// The whole screen.
    /// - Parameters:
    ///   - status: `nil` for a screen that was fetched once.
    ///   - records: reads the records that items carry.
    ///   - isStored: whether such a screen came from the mirror, because no server answered.
    ///   - hasBodies: whether to add the bytes of heads and bodies.
    static func snapshot(
        _ screen: Screen, status: ScreenStatus?, records: RecordReader? = nil, isStored: Bool = false,
        hasBodies: Bool = false
    ) -> JSONValue {
        line("snapshot", of: screen, status: status) {
            if isStored {
                $0["origin"] = .string("store")
                $0["asOf"] = .number(screen.asOf.timeIntervalSince1970)
            }
            $0["locale"] = .string(screen.locale)
            if !screen.title.isEmpty { $0["title"] = .string(screen.title) }
            $0["sections"] = .array(
                screen.sections.map { ContentJSON.section($0, records, hasBodies: hasBodies) })
            if !screen.needsUser.isEmpty { $0["needsUser"] = .strings(screen.needsUser) }
            if !screen.damagedSections.isEmpty { $0["damagedSections"] = .strings(screen.damagedSections) }
        }
    }

    /// The changes since the screen of the previous line.
    static func update(
        _ difference: ScreenDifference, to screen: Screen, status: ScreenStatus, records: RecordReader? = nil
    ) -> JSONValue {
        line("update", of: screen, status: status) {
            $0["operations"] = .array(difference.operations.map { operation($0, records) })
        }
    }

    /// Reports that everything up to the position was delivered.
    /// - Parameter shown: the screen of the previous line, if any.
    static func progress(_ cut: Cut, screen: ScreenID, shown: Screen?) -> JSONValue {
        var object = position("progress", screen, cut)
        if let shown { object["sum"] = .string(ContentJSON.hexadecimal(shown.sum)) }
        return .object(object)
    }

    static func state(_ state: ConnectionState, screen: ScreenID, shown: Screen?) -> JSONValue {
        var object = context("state", screen, shown)
        switch state {
        case .idle: object["state"] = .string("idle")
        case .connecting: object["state"] = .string("connecting")
        case .connected(let server):
            object["state"] = .string("connected")
            object["cluster"] = .string(server.cluster)
            object["node"] = .string(server.node)
        case .waiting(let error, let pause):
            object["state"] = .string("waiting")
            object["reason"] = .string(error.message)
            object["pauseMilliseconds"] = .integer(Words.milliseconds(pause))
        case .failed(let error):
            object["state"] = .string("failed")
            object["reason"] = .string(error.message)
        case .closed: object["state"] = .string("closed")
        }
        return .object(object)
    }

    /// Reports an error. The program may continue.
    /// - Parameter code: the server's, by name.
    static func error(
        _ message: String, code: String? = nil, reason: String?, screen: ScreenID, shown: Screen?
    ) -> JSONValue {
        var object = context("error", screen, shown)
        object["message"] = .string(message)
        if let code { object["code"] = .string(code) }
        if let reason { object["reason"] = .string(reason) }
        return .object(object)
    }

    static func error(_ error: ClientError) -> JSONValue {
        .object([
            "message": .string(error.message), "code": error.status.map { .string($0.code.name) },
            "reason": error.status.map { .string($0.reason) },
        ])
    }

    // MARK: - Parts

    private static func line(
        _ type: String, of screen: Screen, status: ScreenStatus?, _ fill: (inout [String: JSONValue]) -> Void
    ) -> JSONValue {
        var object = context(type, screen.id, screen)
        if let status {
            object["origin"] = .string(status.isLive ? "live" : "store")
            object["asOf"] = .number(status.asOf?.timeIntervalSince1970 ?? 0)
            if status.pendingFavorites > 0 { object["pendingFavorites"] = .integer(status.pendingFavorites) }
            if status.pendingChanges > 0 { object["pendingChanges"] = .integer(status.pendingChanges) }
            if let error = status.lastError { object["lastError"] = self.error(error) }
            if !status.sectionErrors.isEmpty {
                object["sectionErrors"] = .object(status.sectionErrors.mapValues(self.error))
            }
            if !status.damagedSections.isEmpty { object["damagedSections"] = .strings(status.damagedSections) }
        }
        fill(&object)
        return .object(object)
    }

    private static func context(_ type: String, _ id: ScreenID, _ screen: Screen?) -> [String: JSONValue] {
        var object =
            screen.map { position(type, id, $0.revision) } ?? ["type": .string(type), "screen": .string(id.name)]
        if let screen { object["sum"] = .string(ContentJSON.hexadecimal(screen.sum)) }
        return object
    }

    private static func position(_ type: String, _ id: ScreenID, _ cut: Cut) -> [String: JSONValue] {
        var object: [String: JSONValue] = [
            "type": .string(type), "screen": .string(id.name), "revision": .unsigned(cut.catalogueRevision),
        ]
        if cut.userEpoch != 0 { object["userRevision"] = .unsigned(cut.userRevision) }
        return object
    }

    private static func operation(
        _ operation: ScreenDifference.Operation, _ records: RecordReader?
    ) -> JSONValue {
        switch operation {
        case .sectionDelete(let section, let from):
            .object(["op": .string("section-delete"), "section": .string(section.id), "from": .integer(from)])
        case .sectionInsert(let section, let to):
            .object([
                "op": .string("section-insert"), "section": .string(section.id), "to": .integer(to),
                "content": ContentJSON.section(section, records),
            ])
        case .sectionMove(let section, let from, let to):
            .object([
                "op": .string("section-move"), "section": .string(section.id), "from": .integer(from),
                "to": .integer(to),
            ])
        case .sectionUpdate(_, let section, let to):
            .object([
                "op": .string("section-update"), "section": .string(section.id), "to": .integer(to),
                "head": .object(ContentJSON.head(section)),
            ])
        case .delete(let item, let section, let from):
            .object([
                "op": .string("delete"), "section": .string(section), "id": .string(item.id), "from": .integer(from),
            ])
        case .insert(let item, let section, let to):
            .object([
                "op": .string("insert"), "section": .string(section), "id": .string(item.id), "to": .integer(to),
                "item": ContentJSON.item(item, records),
            ])
        case .move(let item, let section, let from, let to):
            .object([
                "op": .string("move"), "section": .string(section), "id": .string(item.id), "from": .integer(from),
                "to": .integer(to),
            ])
        case .update(_, let item, let section, let to):
            .object([
                "op": .string("update"), "section": .string(section), "id": .string(item.id), "to": .integer(to),
                "item": ContentJSON.item(item, records),
            ])
        }
    }
}
