/// A file of a descriptor set as decoded, before its names are resolved.
struct RawFile {
    var name = ""
    var package = ""
    var syntax = ""
    var messages: [RawMessage] = []
    var enumerations: [RawEnumeration] = []
    var extensions: [RawField] = []
}

struct RawMessage {
    var name = ""
    var fields: [RawField] = []
    var nested: [RawMessage] = []
    var enumerations: [RawEnumeration] = []
    var extensions: [RawField] = []
    var oneofs: [String] = []
    var isMapEntry = false
    var isMessageSet = false
}

struct RawField {
    var name = ""
    var extendee = ""
    var number: Int32 = 0
    var label: Int32 = 0
    var type: Int32 = 0
    var typeName = ""
    var defaultValue: [UInt8]?
    var isPacked: Bool?
    var oneof: Int32?
    var jsonName = ""
    var isProto3Optional = false
}

struct RawEnumeration {
    var name = ""
    var values: [EnumDescriptor.Value] = []
}
