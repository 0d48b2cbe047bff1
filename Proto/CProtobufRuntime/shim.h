#include <protobuf-c/protobuf-c.h>

/*
 * The functions of libprotobuf-c that Swift calls. Their types come from CProtobufLayout, which every target that
 * depends on this one has as well.
 */
#undef protobuf_c_message_get_packed_size
#undef protobuf_c_message_pack
#undef protobuf_c_message_unpack
#undef protobuf_c_message_free_unpacked

size_t protobuf_c_message_get_packed_size(const ProtobufCMessage *message);
size_t protobuf_c_message_pack(const ProtobufCMessage *message, uint8_t *out);
ProtobufCMessage *protobuf_c_message_unpack(
    const ProtobufCMessageDescriptor *descriptor, ProtobufCAllocator *allocator, size_t len, const uint8_t *data);
void protobuf_c_message_free_unpacked(ProtobufCMessage *message, ProtobufCAllocator *allocator);
