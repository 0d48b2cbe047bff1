import Foundation
import MarqueeCatalogue
import MarqueeClient
import MarqueeModel
import MarqueeStore
import MarqueeTypes

/// The collections that users of a schedule change: favorites of movies, and progress in clips, which keeps a number.
enum Collections {
    static let progress = CollectionName("progress")
    static let all = [CollectionName.favorites, progress]
    /// Ids of the clips that the catalogue has, and of one that it doesn't.
    static let clips = ["a", "b", "c", "d", "missing"]

    /// `message Clip { string id = 1; }` of the package `sim`.
    private static let descriptors =
        Data(base64Encoded: "CjEKCmNsaXAucHJvdG8SA3NpbSIWCgRDbGlwEg4KAmlkGAEgASgJUgJpZGIGcHJvdG8z") ?? Data()

    static let document = TypesDocument(
        declarations: """
            descriptors: clip.desc
            types:
              clip: {message: sim.Clip, id: id}
            collections:
              progress: {of: [clip], value: uint32}
            """, descriptors: [UInt8](descriptors))

    static let types: TypeSet = {
        do {
            return try TypeSet(document, file: "simulation")
        } catch {
            preconditionFailure("the simulation's own types can't be read: \(error)")
        }
    }()

    /// The types and the clips.
    static var changes: [Change] {
        [.types(document)]
            + clips.dropLast().map { id in
                .put(RecordID(type: "clip", id: id), .bytes([0x0A, UInt8(id.utf8.count)] + Array(id.utf8)))
            }
    }

    /// What the app is shown of a member: its subject, and its value where it has one.
    static func text(_ subject: String, _ value: CollectionValue?) -> String {
        value.map { "\(subject)=\($0)" } ?? subject
    }

    /// A stored value as the app is shown it, computed without the server's code.
    static func value(of member: StoredMember) -> CollectionValue? {
        guard member.collection == progress else { return nil }
        // The field 1 as a varint of one byte; nothing for 0.
        return CollectionValue(member.value.count == 2 ? member.value[1] : 0)
    }
}
