#ifndef PROTOBUF_C_LAYOUT_H
#define PROTOBUF_C_LAYOUT_H

#include <stddef.h>

/* Sizes, offsets and numbers of libprotobuf-c's own header, in the order that ProtobufLayoutTests lists them. */
size_t protobuf_c_layout(size_t index);
size_t protobuf_c_layout_count(void);

#endif
