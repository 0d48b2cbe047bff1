#include "tls.h"
#include "loop.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <string.h>

// Only one of each, so that all servers have the same work.
static const char CIPHER_SUITE[] = "TLS_AES_128_GCM_SHA256", GROUP[] = "X25519";
// A name in the server's certificate.
static const char SERVER_NAME[] = "localhost";

static SSL_CTX *context;
// Tickets that were not used yet: servers give two for each connection, and each is good for one.
enum { TICKETS = 4096 };
static SSL_SESSION *tickets[TICKETS];
static uint32_t ticket_count;

__attribute__((noreturn)) static void fail(const char *what) {
    const char *reason = ERR_reason_error_string(ERR_get_error());
    load_fail("TLS: %s: %s", what, reason ? reason : strerror(errno));
}

static int keep_ticket(SSL *tls, SSL_SESSION *session) {
    (void)tls;
    if (ticket_count == TICKETS) return 0;
    tickets[ticket_count++] = session;
    // It is ours to free.
    return 1;
}

void tls_use(const char *authority) {
    context = SSL_CTX_new(TLS_client_method());
    if (!context || SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) != 1
        || SSL_CTX_set_ciphersuites(context, CIPHER_SUITE) != 1 || SSL_CTX_set1_groups_list(context, GROUP) != 1
        || SSL_CTX_load_verify_file(context, authority) != 1)
        fail(authority);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    const char *name = load.protocol->application;
    if (name) {
        uint8_t list[256];
        list[0] = (uint8_t)strlen(name);
        memcpy(list + 1, name, list[0]);
        // Unlike all the others, this one returns 0 if it has worked.
        if (SSL_CTX_set_alpn_protos(context, list, list[0] + 1u) != 0) fail(name);
    }
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, keep_ticket);
    // Thousands of connections are idle most of the time. What has arrived is read at once, record for record.
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE);
    SSL_CTX_set_read_ahead(context, 1);
    // OpenSSL writes without MSG_NOSIGNAL.
    signal(SIGPIPE, SIG_IGN);
    load.secure = true;
}

void tls_begin(struct connection *connection) {
    SSL *tls = SSL_new(context);
    if (!tls || SSL_set_fd(tls, connection->descriptor) != 1 || SSL_set_tlsext_host_name(tls, SERVER_NAME) != 1
        || SSL_set1_host(tls, SERVER_NAME) != 1)
        fail("a connection");
    if (load.resumes) {
        if (ticket_count == 0) load_fail("TLS: the server has given too few tickets");
        SSL_SESSION *ticket = tickets[--ticket_count];
        if (SSL_set_session(tls, ticket) != 1) fail("a ticket");
        SSL_SESSION_free(ticket);
    }
    SSL_set_connect_state(tls);
    connection->tls = tls;
}

bool tls_handshake(struct connection *connection) {
    // `SSL_get_error` must not find an older error.
    ERR_clear_error();
    int result = SSL_do_handshake(connection->tls);
    if (result == 1) {
        load.resumed += (uint64_t)SSL_session_reused(connection->tls);
        return true;
    }
    // A new connection has room for what a handshake sends.
    if (SSL_get_error(connection->tls, result) != SSL_ERROR_WANT_READ) fail("handshake");
    return false;
}

ssize_t tls_receive(struct connection *connection, void *bytes, size_t room) {
    ERR_clear_error();
    size_t count = 0;
    int result = SSL_read_ex(connection->tls, bytes, room, &count);
    if (result == 1) return (ssize_t)count;
    switch (SSL_get_error(connection->tls, result)) {
    case SSL_ERROR_WANT_READ: errno = EAGAIN; return -1;
    case SSL_ERROR_ZERO_RETURN: return 0;
    default: fail("receiving");
    }
}

ssize_t tls_send(struct connection *connection, const void *bytes, size_t count) {
    ERR_clear_error();
    size_t sent = 0;
    int result = SSL_write_ex(connection->tls, bytes, count, &sent);
    if (result == 1) return (ssize_t)sent;
    if (SSL_get_error(connection->tls, result) != SSL_ERROR_WANT_WRITE) fail("sending");
    errno = EAGAIN;
    return -1;
}

void tls_end(struct connection *connection) {
    // Without having said goodbye, OpenSSL would not use the connection's tickets.
    SSL_set_shutdown(connection->tls, SSL_SENT_SHUTDOWN);
    SSL_free(connection->tls);
}
