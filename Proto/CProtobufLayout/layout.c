#include <protobuf-c/protobuf-c.h>

/* What the reader and writer in Swift rely on, beside the order of members. */
_Static_assert(sizeof(protobuf_c_boolean) == 4, "a truth value has four bytes");
_Static_assert(sizeof(ProtobufCType) == 4 && sizeof(ProtobufCLabel) == 4, "enums have four bytes");
_Static_assert(offsetof(ProtobufCMessage, descriptor) == 0, "a message begins with its descriptor");
_Static_assert(sizeof(size_t) == sizeof(void *), "a count is as wide as an address");
