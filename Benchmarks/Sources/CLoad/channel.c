#define _GNU_SOURCE
#include "channel.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

double now_in_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int take_session(SSL *tls, SSL_SESSION *session) {
    SSL_SESSION **place = SSL_get_app_data(tls);
    if (!place) return 0;
    if (*place) SSL_SESSION_free(*place);
    *place = session;
    return 1;
}

static SSL_CTX *tls_context(void) {
    static SSL_CTX *context;
    if (!context) {
        context = SSL_CTX_new(TLS_client_method());
        SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
        SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
        SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        SSL_CTX_set_session_cache_mode(context,
                                       SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
        SSL_CTX_sess_set_new_cb(context, take_session);
    }
    return context;
}

static bool shake_hands(struct channel *channel) {
    SSL *tls = SSL_new(tls_context());
    channel->tls = tls;
    SSL_set_fd(tls, channel->socket);
    return SSL_connect(tls) == 1;
}

bool channel_open(struct channel *channel, const struct load_target *target,
                  char fault[FAULT_SIZE]) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)target->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    channel->tls = NULL;
    channel->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // A hello, or a connection, that nobody takes must not hold us for ever.
    struct timeval patience = {.tv_sec = 5};
    // Closing resets, so that ports are free again at once.
    struct linger reset = {.l_onoff = 1};
    int on = 1;
    setsockopt(channel->socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(channel->socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(channel->socket, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    setsockopt(channel->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (channel->socket < 0 ||
        connect(channel->socket, (struct sockaddr *)&address, sizeof address)) {
        snprintf(fault, FAULT_SIZE, "no connection: %s", strerror(errno));
    } else if (target->secure && !shake_hands(channel)) {
        snprintf(fault, FAULT_SIZE, "no TLS 1.3");
    } else {
        fcntl(channel->socket, F_SETFL, O_NONBLOCK);
        return true;
    }
    channel_close(channel);
    return false;
}

bool channel_begin(struct channel *channel, const struct load_target *target, void *session,
                   char fault[FAULT_SIZE]) {
    static uint32_t last;
    struct sockaddr_in own = {.sin_family = AF_INET,
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + ++last % 200)};
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)target->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    channel->tls = NULL;
    channel->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(channel->socket, SOL_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    setsockopt(channel->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    // On this machine that takes no longer than the call.
    if (channel->socket < 0 || bind(channel->socket, (struct sockaddr *)&own, sizeof own) ||
        connect(channel->socket, (struct sockaddr *)&address, sizeof address)) {
        snprintf(fault, FAULT_SIZE, "no connection: %s", strerror(errno));
        channel_close(channel);
        return false;
    }
    fcntl(channel->socket, F_SETFL, O_NONBLOCK);
    if (target->secure) {
        SSL *tls = SSL_new(tls_context());
        channel->tls = tls;
        SSL_set_fd(tls, channel->socket);
        SSL_set_connect_state(tls);
        if (session) SSL_set_session(tls, session);
    }
    return true;
}

void channel_keep_session(struct channel *channel, void **session) {
    if (channel->tls) SSL_set_app_data((SSL *)channel->tls, session);
}

void channel_drop_session(void *session) {
    if (session) SSL_SESSION_free(session);
}

bool channel_is_resumed(const struct channel *channel) {
    return channel->tls && SSL_session_reused((SSL *)channel->tls);
}

void channel_finish(struct channel *channel) {
    if (channel->tls) SSL_shutdown(channel->tls);
    channel_close(channel);
}

void channel_close(struct channel *channel) {
    if (channel->tls) SSL_free(channel->tls);
    if (channel->socket >= 0) close(channel->socket);
    channel->tls = NULL;
    channel->socket = -1;
}

static ssize_t tls_outcome(struct channel *channel, int count) {
    if (count > 0) return count;
    int error = SSL_get_error(channel->tls, count);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? channel_later
                                                                         : channel_gone;
}

ssize_t channel_receive(struct channel *channel, char *bytes, size_t size) {
    if (channel->tls) {
        return tls_outcome(channel, SSL_read(channel->tls, bytes, (int)size));
    }
    ssize_t count = recv(channel->socket, bytes, size, 0);
    if (count > 0) return count;
    return count < 0 && errno == EAGAIN ? channel_later : channel_gone;
}

ssize_t channel_send(struct channel *channel, const char *bytes, size_t size) {
    if (channel->tls) {
        return tls_outcome(channel, SSL_write(channel->tls, bytes, (int)size));
    }
    ssize_t count = send(channel->socket, bytes, size, MSG_NOSIGNAL);
    if (count >= 0) return count;
    return errno == EAGAIN ? channel_later : channel_gone;
}

bool channel_wait(struct channel *channel, short events, double deadline) {
    double rest = deadline - now_in_seconds();
    struct pollfd socket = {.fd = channel->socket, .events = events};
    return rest > 0 && poll(&socket, 1, (int)(rest * 1000) + 1) > 0;
}

bool channel_send_all(struct channel *channel, const char *bytes, size_t size, double deadline) {
    while (size) {
        size_t part = size < (1 << 30) ? size : (1 << 30);
        ssize_t count = channel_send(channel, bytes, part);
        if (count == channel_gone) return false;
        if (count == channel_later) {
            if (!channel_wait(channel, POLLOUT, deadline)) return false;
            continue;
        }
        bytes += count;
        size -= (size_t)count;
    }
    return true;
}
