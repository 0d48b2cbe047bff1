import Foundation
import MarqueeClient
import MarqueeScreenJSON

/// The content of a mirror, in lines.
enum MirrorReportLines {
    /// - Parameter now: seconds since 1970.
    static func lines(of status: MirrorStatus, path: String, now: Double) -> [String] {
        var lines = ["mirror   \(path)"]
        lines.append("cluster  \(status.cluster ?? "none yet")")
        if let user = status.user { lines.append("user     \(user)") }
        if status.views.isEmpty { lines.append("no screens stored") }
        let width = status.views.map { TextWidth.columns(Sanitizer.line(name(of: $0))) }.max() ?? 0
        for view in status.views {
            let facts = [
                "revision \(view.revision.catalogueRevision)", Words.ago(view.asOf.timeIntervalSince1970, now: now),
                Words.count(view.sections, "section"), Words.count(view.items, "item"), Words.bytes(view.bytes),
            ]
            lines.append(
                "  \(TextWidth.pad(Sanitizer.line(name(of: view)), to: width))  \(facts.joined(separator: ", "))")
        }
        lines.append(
            status.pending.isEmpty
                ? "no changes waiting" : "\(Words.count(status.pending.count, "change")) not confirmed")
        for change in status.pending {
            let what = self.what(change.isMember, change.subject, change.collection, change.value)
            lines.append(
                "  ♡ \(what), \(change.state.rawValue), \(Words.ago(change.createdAt.timeIntervalSince1970, now: now))")
        }
        for change in status.rejected {
            let what = self.what(change.isMember, change.subject, change.collection, change.value)
            lines.append(
                "  rolled back: \(what), \(Words.ago(change.createdAt.timeIntervalSince1970, now: now)): \(change.error)"
            )
        }
        guard let last = status.lastError else { return (lines + ["no errors"]).map(Sanitizer.line) }
        lines.append("last error, \(Words.ago(last.at.timeIntervalSince1970, now: now)): \(self.line(of: last))")
        for incident in status.incidents.dropLast().suffix(earlierIncidents).reversed() {
            lines.append(
                "  before, \(Words.ago(incident.at.timeIntervalSince1970, now: now)): \(self.line(of: incident))")
        }
        return lines.map(Sanitizer.line)
    }

    /// `add movie/1 to favorites`, `set episode/e1 in progress to 120`, `remove movie/1 from favorites`.
    private static func what(
        _ on: Bool, _ subject: Subject, _ collection: CollectionName, _ value: CollectionValue?
    ) -> String {
        guard on else { return "remove \(subject) from \(collection)" }
        return value.map { "set \(subject) in \(collection) to \($0)" } ?? "add \(subject) to \(collection)"
    }

    /// Maximum errors listed before the last one; the JSON form has all of them.
    private static let earlierIncidents = 9

    private static func line(of incident: MirrorIncident) -> String {
        "[\(incident.kind)] \(incident.screen.map { "\($0): " } ?? "")\(incident.message)"
    }

    static func document(of status: MirrorStatus, path: String) -> JSONValue {
        .object([
            "type": .string("mirror"), "path": .string(path), "cluster": status.cluster.map { .string($0) },
            "user": status.user.map { .string($0) },
            "screens": .array(
                status.views.map { view in
                    .object([
                        "screen": .string(view.screen.name), "locale": .string(view.locale),
                        "revision": .unsigned(view.revision.catalogueRevision),
                        "asOf": .number(view.asOf.timeIntervalSince1970),
                        "sections": .integer(view.sections), "items": .integer(view.items),
                        "bytes": .integer(view.bytes),
                    ])
                }),
            "pending": .array(
                status.pending.map { change in
                    .object([
                        "collection": .string(change.collection.name), "subject": .string(change.subject.name),
                        "member": .bool(change.isMember), "value": change.value.flatMap { JSONValue(json: $0.json) },
                        "state": .string(change.state.rawValue),
                        "since": .number(change.createdAt.timeIntervalSince1970),
                    ])
                }),
            "rejected": .array(
                status.rejected.map { change in
                    .object([
                        "collection": .string(change.collection.name), "subject": .string(change.subject.name),
                        "member": .bool(change.isMember), "value": change.value.flatMap { JSONValue(json: $0.json) },
                        "reason": .string(change.error.message),
                        "since": .number(change.createdAt.timeIntervalSince1970),
                    ])
                }),
            "errors": .array(status.incidents.map(document)),
        ])
    }

    private static func document(of incident: MirrorIncident) -> JSONValue {
        .object([
            "kind": .string(incident.kind), "screen": incident.screen.map { .string($0.name) },
            "message": .string(incident.message), "at": .number(incident.at.timeIntervalSince1970),
        ])
    }

    static func document(of damage: [MirrorDamage], sections: Int, items: Int, path: String) -> JSONValue {
        .object([
            "type": .string("verification"), "path": .string(path), "ok": .bool(damage.isEmpty),
            "sections": .integer(sections), "items": .integer(items),
            "damaged": .array(
                damage.map { damage in
                    .object([
                        "screen": .string(damage.screen.name), "locale": .string(damage.locale),
                        "section": .string(damage.section), "detail": .string(damage.detail),
                    ])
                }),
        ])
    }

    private static func name(of view: MirrorStatus.View) -> String { "\(view.screen) (\(view.locale))" }
}
