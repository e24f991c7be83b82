#define _GNU_SOURCE
#include "CPeer.h"
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { BACKLOG = 4096 };

void fail(const char *what) {
    perror(what);
    exit(1);
}

int listener(struct sockaddr_in *address) {
    socklen_t size = sizeof *address;
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on)) fail("socket");
    if (bind(fd, (struct sockaddr *)address, size) || listen(fd, BACKLOG)) fail("bind");
    if (getsockname(fd, (struct sockaddr *)address, &size)) fail("getsockname");
    return fd;
}

void watch(int set, struct peer *peer, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = peer};
    epoll_ctl(set, operation, peer->socket, &event);
}

void accept_all(int set, int listener) {
    int on = 1, accepted;
    while ((accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct peer *peer = calloc(1, sizeof *peer);
        peer->socket = accepted;
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(set, peer, EPOLL_CTL_ADD, EPOLLIN);
    }
}

size_t count_requests(struct peer *peer, const char *bytes, size_t size) {
    const char *end = bytes + size, *line = bytes, *next;
    size_t count = 0;
    while ((next = memchr(line, '\n', (size_t)(end - line)))) {
        // "\r" alone is the empty line after a head.
        if (peer->line_size + (size_t)(next - line) == 1) count++;
        peer->line_size = 0;
        line = next + 1;
    }
    peer->line_size += (size_t)(end - line);
    return count;
}

void announce(const struct sockaddr_in *address) {
    printf("listening on %d\n", ntohs(address->sin_port));
    fflush(stdout);
}
