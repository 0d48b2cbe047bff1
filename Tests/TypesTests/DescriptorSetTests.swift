import Foundation
import Testing

@testable import MarqueeTypes

struct DescriptorSetTests {
    @Test func `A set knows its messages by full name`() throws {
        let set = try Fixtures.set("kitchen")
        #expect(set.message(named: "kitchen.v1.Kitchen") != nil)
        #expect(set.message(named: "kitchen.v1.Kitchen.Inner.Deeper") != nil)
        #expect(set.message(named: "kitchen.v1.Point")?.file == "common.proto")
        #expect(set.message(named: "kitchen.v1.Kitchen.TitlesEntry") == nil)
        #expect(set.message(named: "google.protobuf.Timestamp")?.wellKnown == .timestamp)
    }

    @Test func `A field knows its names, type and label`() throws {
        let set = try Fixtures.set("kitchen")
        let kitchen = try #require(set.message(named: "kitchen.v1.Kitchen"))
        let renamed = try #require(kitchen.field(named: "otherName"))
        #expect(renamed.name == "renamed" && renamed.number == 82 && kitchen.field(named: "renamed") == renamed)
        #expect(kitchen.field(numbered: 536_870_911)?.name == "far")
        #expect(kitchen.fields.map(\.number) == kitchen.fields.map(\.number).sorted())

        func describe(_ name: String) -> String { kitchen.field(named: name).map { set.name(of: $0) } ?? "" }
        #expect(describe("aSfixed64") == "sfixed64")
        #expect(describe("texts") == "repeated string")
        #expect(describe("byNumber") == "map<int32, kitchen.v1.Point>")
        #expect(describe("byFlag") == "map<bool, kitchen.v1.Color>")
        #expect(describe("maybeText") == "optional string")
        #expect(describe("point") == "kitchen.v1.Point")
    }

    @Test func `Presence follows the schema`() throws {
        let kitchen = try #require(Fixtures.set("kitchen").message(named: "kitchen.v1.Kitchen"))
        #expect(kitchen.field(named: "anInt32")?.presence == .implicit)
        #expect(kitchen.field(named: "maybeNumber")?.presence == .explicit)
        #expect(kitchen.field(named: "maybeNumber")?.oneof == nil)
        #expect(kitchen.field(named: "point")?.presence == .explicit)
        #expect(kitchen.field(named: "asFlag")?.presence == .explicit)
        #expect(kitchen.field(named: "asFlag")?.oneof == 0)
        #expect(kitchen.oneofs == ["choice"])
        let job = try #require(Fixtures.set("legacy").message(named: "legacy.v1.Job"))
        #expect(job.field(named: "id")?.presence == .required)
        #expect(job.field(named: "plain")?.presence == .explicit)
        #expect(job.oneofs == ["way"])
    }

    @Test func `Numbers are packed where the schema says so`() throws {
        let kitchen = try #require(Fixtures.set("kitchen").message(named: "kitchen.v1.Kitchen"))
        #expect(kitchen.field(named: "numbers")?.isPacked == true)
        #expect(kitchen.field(named: "colors")?.isPacked == true)
        #expect(kitchen.field(named: "loose")?.isPacked == false)
        #expect(kitchen.field(named: "texts")?.isPacked == false)
        let job = try #require(Fixtures.set("legacy").message(named: "legacy.v1.Job"))
        #expect(job.field(named: "loose")?.isPacked == false)
        #expect(job.field(named: "packed")?.isPacked == true)
    }

    @Test func `Declared defaults are read`() throws {
        let job = try #require(Fixtures.set("legacy").message(named: "legacy.v1.Job"))
        func declared(_ name: String) -> FieldDefault? { job.field(named: name)?.declaredDefault }
        #expect(declared("priority") == .number(UInt64(bitPattern: -5)))
        #expect(declared("state") == .number(2))
        #expect(declared("urgent") == .number(1))
        #expect(declared("ratio") == .number((0.25).bitPattern))
        #expect(declared("title") == .bytes(Array("Untitled \"job\"\n".utf8)))
        #expect(declared("blob") == .bytes([1, 0x61, 0x5C, 0xFF]))
        #expect(declared("big") == .number(.max))
        #expect(declared("endless") == .number(UInt64((-Float.infinity).bitPattern)))
        #expect(declared("plain") == nil)
    }

    @Test func `Enums are open in proto3 and closed in proto2`() throws {
        let color = try #require(Fixtures.set("kitchen").enumerations.first { $0.fullName == "kitchen.v1.Color" })
        #expect(color.isOpen && color.number(named: "COLOR_BELOW") == -1 && color.name(of: 2) == "COLOR_GREEN")
        let state = try #require(Fixtures.set("legacy").enumerations.first { $0.fullName == "legacy.v1.State" })
        #expect(!state.isOpen && state.defaultNumber == 1)
        #expect(state.name(of: 2) == "RUNNING" && state.number(named: "ACTIVE") == 2)
    }

    @Test(arguments: [
        ("WithGroup", "refused.proto: refused.v1.WithGroup.place: a group is not supported"),
        ("WithAny", "google/protobuf/any.proto: google.protobuf.Any: google.protobuf.Any is not supported"),
        ("WithStruct", "google/protobuf/struct.proto: google.protobuf.Value: google.protobuf.Value is not supported"),
        ("WithNull", "refused.proto: refused.v1.WithNull.null: google.protobuf.NullValue is not supported"),
        (
            "WithMask",
            "google/protobuf/field_mask.proto: google.protobuf.FieldMask: google.protobuf.FieldMask is not supported"
        ),
        ("Extended", "refused.proto: refused.v1.Extended: extensions are not supported: nickname in refused.proto"),
        ("MessageSet", "refused.proto: refused.v1.MessageSet: the message set format is not supported"),
    ])
    func `An unsupported feature is refused by name`(message: String, reason: String) throws {
        let set = try Fixtures.set("refused")
        let place = try #require(set.place(named: "refused.v1.\(message)"))
        #expect(set.refusals(of: place).contains(reason))
        #expect(throws: DescriptorError.self) {
            try RecordCoder(set: set, message: "refused.v1.\(message)", name: "record")
        }
    }

    @Test func `Unsupported features that no type uses are not an error`() throws {
        _ = try RecordCoder(set: Fixtures.set("refused"), message: "refused.v1.Fine", name: "record")
    }

    @Test func `The error for a set without its imports names what is missing`() throws {
        // Only the last file, as without --include_imports.
        var reader = WireReader(try Fixtures.bytes("kitchen.desc"))
        var last: WireField?
        while let field = try reader.next() { last = field }
        var writer = WireWriter()
        writer.tag(1, .lengthPrefixed)
        writer.lengthPrefixed(try Fixtures.bytes("kitchen.desc")[try #require(last).payload])
        #expect {
            try DescriptorSet(writer.bytes)
        } throws: {
            "\($0)" == "kitchen.proto: kitchen.v1.Kitchen.color: kitchen.v1.Color is not in the descriptor set; "
                + "make it with --include_imports"
        }
    }

    @Test func `An unknown syntax is refused`() throws {
        // `proto3` of the last file becomes `proto4`.
        var bytes = try Fixtures.bytes("podcast.desc")
        bytes[bytes.count - 1] = UInt8(ascii: "4")
        let set = try DescriptorSet(bytes)
        let place = try #require(set.place(named: "podcast.v1.Audio"))
        let reason = "podcast.proto: podcast.v1.Audio: the syntax 'proto4' is not supported; proto2 and proto3 are"
        #expect(set.refusals(of: place).contains(reason))
    }

    @Test func `A summary shows every field with its number`() throws {
        let summary = try Fixtures.set("podcast").summary
        #expect(summary.contains("message podcast.v1.Episode"))
        #expect(summary.contains("  4  published: google.protobuf.Timestamp"))
        #expect(summary.contains("  13  rating: optional double"))
        #expect(summary.contains("enum podcast.v1.Kind"))
        #expect(summary.contains("  2  KIND_TRAILER"))
        let refused = try Fixtures.set("refused").summary
        #expect(refused.contains("  1  place: optional group  (not supported)"))
        #expect(refused.contains("message google.protobuf.Any  (not supported: google.protobuf.Any is not supported)"))
        let kitchen = try Fixtures.set("kitchen").summary
        #expect(kitchen.contains("  52  asNumber: int64  (oneof choice)"))
    }
}
