// WebSocket messages (RFC 6455), as a client sends them.
#pragma once
#include "load.h"

enum { SOCKET_TEXT = 0x1, SOCKET_BINARY = 0x2, SOCKET_CLOSE = 0x8, SOCKET_PING = 0x9, SOCKET_PONG = 0xa };
// Of the largest message that is sent, its header included.
enum { SOCKET_MESSAGE_BYTES = 4096 };

// Writes a message of one masked frame. Returns its bytes.
size_t socket_message(uint8_t *message, unsigned opcode, const void *payload, size_t count);
