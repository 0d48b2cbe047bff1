#include "protobuf-c-layout.h"

#include <protobuf-c/protobuf-c.h>

#define FIELD(member) offsetof(ProtobufCFieldDescriptor, member)
#define MESSAGE(member) offsetof(ProtobufCMessageDescriptor, member)
#define UNKNOWN(member) offsetof(ProtobufCMessageUnknownField, member)

static const size_t layout[] = {
    sizeof(ProtobufCFieldDescriptor), FIELD(name), FIELD(id), FIELD(label), FIELD(type), FIELD(quantifier_offset),
    FIELD(offset), FIELD(descriptor), FIELD(default_value), FIELD(flags),
    sizeof(ProtobufCMessageDescriptor), MESSAGE(magic), MESSAGE(name), MESSAGE(short_name), MESSAGE(sizeof_message),
    MESSAGE(n_fields), MESSAGE(fields), MESSAGE(n_field_ranges), MESSAGE(field_ranges), MESSAGE(message_init),
    sizeof(ProtobufCMessage), offsetof(ProtobufCMessage, n_unknown_fields), offsetof(ProtobufCMessage, unknown_fields),
    sizeof(ProtobufCMessageUnknownField), UNKNOWN(tag), UNKNOWN(wire_type), UNKNOWN(len), UNKNOWN(data),
    sizeof(ProtobufCBinaryData), offsetof(ProtobufCBinaryData, len), offsetof(ProtobufCBinaryData, data),
    sizeof(ProtobufCIntRange), offsetof(ProtobufCIntRange, orig_index),
    sizeof(ProtobufCAllocator), offsetof(ProtobufCAllocator, free), offsetof(ProtobufCAllocator, allocator_data),
    sizeof(protobuf_c_boolean), PROTOBUF_C__MESSAGE_DESCRIPTOR_MAGIC,
    PROTOBUF_C_LABEL_OPTIONAL, PROTOBUF_C_LABEL_REPEATED, PROTOBUF_C_FIELD_FLAG_PACKED, PROTOBUF_C_FIELD_FLAG_ONEOF,
    PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_UINT64,
    PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_FLOAT, PROTOBUF_C_TYPE_DOUBLE,
    PROTOBUF_C_TYPE_BOOL, PROTOBUF_C_TYPE_ENUM, PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE,
};

size_t protobuf_c_layout(size_t index) { return layout[index]; }
size_t protobuf_c_layout_count(void) { return sizeof(layout) / sizeof(layout[0]); }
