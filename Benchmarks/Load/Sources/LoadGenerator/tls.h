// TLS of connections, if the generator was given an authority. Plain connections have nothing to do with it.
#pragma once
#include "load.h"

#include <sys/types.h>

// From now on connections are made with TLS, to a server whose certificate is of this authority (a PEM file).
void tls_use(const char *authority);
// Before the handshake; the connection is open.
void tls_begin(struct connection *connection);
// Goes on with the handshake. Returns whether it is over.
bool tls_handshake(struct connection *connection);
// As `recv` and `send` with a descriptor that doesn't block. Each reads or writes at most one record.
ssize_t tls_receive(struct connection *connection, void *bytes, size_t room);
ssize_t tls_send(struct connection *connection, const void *bytes, size_t count);
void tls_end(struct connection *connection);
