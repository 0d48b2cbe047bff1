import MarqueeClient
import MarqueeModel
import MarqueeScreenJSON

/// The members of one collection: as the server has them if it answers in time, otherwise as they are stored.
struct CollectionList: Sendable {
    private let collection: CollectionName
    private let newest: NewestScreen
    private let members: [CollectionMember]

    var isLive: Bool { newest.isLive }

    static func read(
        _ collection: CollectionName, of client: MarqueeClient, timeout: Seconds
    ) async throws -> CollectionList {
        let newest = await NewestScreen(.collectionSet, of: client, timeout: timeout)
        // Changes waiting in the mirror are being sent now; wait for the answers, so the list is final.
        let waiting = (try? await client.outboxStatus().pending) ?? 0
        if newest.isLive, waiting > 0 { _ = await client.hasConfirmed(within: timeout) }
        return CollectionList(
            collection: collection, newest: newest, members: try await client.members(of: collection))
    }

    /// The reason for showing what is stored; `nil` if it is the server's.
    func note(server: ServerAddress) -> String? { newest.note(server: server) }

    /// - Throws: `Failure` when there is nothing to show, or no such collection.
    func check(server: ServerAddress, mirror: String?) throws {
        try newest.check(server: server, mirror: mirror, hasOther: !members.isEmpty)
        guard let known = newest.screen?.sections.map(\.id), !known.contains(collection.name), members.isEmpty else {
            return
        }
        let hint =
            CommandSuggestion.nearest(to: collection.name, among: known).map { "did you mean '\($0)'?" }
            ?? "there are \(known.joined(separator: ", "))"
        throw Failure(.protocolError, "there is no collection '\(collection)'; \(hint)")
    }

    var lines: [String] {
        if members.isEmpty { return ["nothing in \(collection)"] }
        return members.map { member in
            let value = member.value.map { "  \($0)" } ?? ""
            let refused = member.error.map { "  (last change refused: \($0))" } ?? ""
            return Sanitizer.line("\(member.isPending ? "♡" : "♥") \(member.subject)\(value)\(refused)")
        }
    }

    var document: JSONValue {
        .object([
            "type": .string("collection"), "collection": .string(collection.name),
            "origin": .string(isLive ? "live" : "store"),
            "members": .array(
                members.map { member in
                    .object([
                        "subject": .string(member.subject.name),
                        "value": member.value.flatMap { JSONValue(json: $0.json) },
                        "pending": .bool(member.isPending), "error": member.error.map { .string($0.message) },
                    ])
                }),
        ])
    }
}
