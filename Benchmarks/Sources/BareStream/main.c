// The least that a server can do to reach all who listen: one thread, and one send() of the same
// bytes for each subscriber.
//
// A GET subscribes, and is answered by the head of an event stream and an event. Any other request,
// whose body must arrive with its head, sends an event to all who have subscribed, and is answered
// after the last.
//
//     BareStream SIZE      SIZE: bytes of an event
//
// It listens on a free port of 127.0.0.1 and prints "listening on PORT".

#define _GNU_SOURCE
#include "CPeer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BATCH = 512, INPUT = 64 << 10, MOST = 1 << 17 };

static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
static const char done[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

static char *event;
static size_t event_size;
static struct peer *subscribers[MOST];
static int subscriber_count;

static void make_event(const char *size) {
    event_size = strtoul(size, NULL, 10);
    if (event_size < 9) event_size = 9;
    event = malloc(event_size);
    memset(event, 'x', event_size);
    memcpy(event, "data: ", 6);
    memcpy(event + event_size - 2, "\n\n", 2);
}

static void put(struct peer *peer, const char *bytes, size_t size) {
    // Who does not take it misses it; the benchmark sees that.
    (void)!send(peer->socket, bytes, size, MSG_NOSIGNAL);
}

static void leave(struct peer *peer) {
    for (int i = 0; i < subscriber_count; i++) {
        if (subscribers[i] == peer) subscribers[i--] = subscribers[--subscriber_count];
    }
    close(peer->socket);
    free(peer);
}

static void serve(struct peer *peer, char *input) {
    ssize_t size = recv(peer->socket, input, INPUT, 0);
    if (size <= 0) {
        leave(peer);
    } else if (input[0] == 'G') {
        put(peer, head, sizeof head - 1);
        put(peer, event, event_size);
        if (subscriber_count < MOST) subscribers[subscriber_count++] = peer;
    } else {
        for (int i = 0; i < subscriber_count; i++) put(subscribers[i], event, event_size);
        put(peer, done, sizeof done - 1);
    }
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: %s SIZE\n", arguments[0]);
        return 2;
    }
    make_event(arguments[1]);
    struct sockaddr_in address = {.sin_port = 0};
    struct peer door = {.socket = listener(&address)};
    struct epoll_event ready[BATCH];
    char *input = malloc(INPUT);
    int set = epoll_create1(EPOLL_CLOEXEC);
    watch(set, &door, EPOLL_CTL_ADD, EPOLLIN);
    announce(&address);
    for (;;) {
        int found = epoll_wait(set, ready, BATCH, -1);
        for (int i = 0; i < found; i++) {
            if (ready[i].data.ptr == &door) {
                accept_all(set, door.socket);
            } else {
                serve(ready[i].data.ptr, input);
            }
        }
    }
}
