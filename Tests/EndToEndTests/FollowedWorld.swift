import Foundation
import GRDB
import MarqueeCatalogue
import MarqueeModel
import MarqueeStore
import MarqueeTypes
import ProcessSupport
import Testing

/// A server whose catalogue follows something; it is read while the server runs.
protocol FollowedWorld {
    /// Of the server, with its data in `data`.
    var folder: URL { get }
    static var types: String { get }
}

extension FollowedWorld {
    /// Records of a type as JSON, by their ids, read while the server runs.
    func records(_ type: String = "product") throws -> [String: String] {
        try records(type, of: TypeSet(Self.types, file: "types.yaml", descriptors: []))
    }

    func records(_ type: String, of types: TypeSet) throws -> [String: String] {
        let coder = try #require(types.type(type)).coder
        var records: [String: String] = [:]
        try StoredCatalogue.read(folder.appending(path: "data").path) { change in
            if case .put(let id, .bytes(let bytes)) = change, id.type == type {
                records[id.id] = (try? coder.json(of: bytes)) ?? "?"
            }
        }
        return records
    }

    /// Waits until a record is as described; `nil`: until there is none.
    func until(_ id: String, is json: String?, _ type: String = "product") async throws {
        try await eventually("\(type)/\(id) is \(json ?? "gone"), not \((try? records(type)[id]) ?? "gone")") {
            try records(type)[id] == json
        }
    }

    /// The changes of the commits after a revision, by the log.
    func changes(after revision: Int = 0) throws -> [(revision: Int, changes: String)] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(
            path: folder.appending(path: "data/catalogue.sqlite").path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { db in
            try Row.fetchAll(
                db, sql: "SELECT revision, changes FROM commit_log WHERE revision > ? ORDER BY revision",
                arguments: [revision]
            ).map { ($0["revision"], $0["changes"]) }
        }
    }

    func revision() throws -> Int { try changes().last?.revision ?? 0 }
}
