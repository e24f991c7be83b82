// The ceiling: what the sockets of this machine cost with no server around them.
//
// A thread for each core waits in an epoll set of its own. Whatever arrives is searched for empty
// lines only, and for each of them the same bytes go out, with one recv() and one send() for what
// has arrived at once. Nothing that answers HTTP over sockets does less.
//
//     Ceiling FILE            FILE: an answer as it goes over the wire
//     Ceiling FILE close      the same, and then the connection is closed
//
// It listens on a free port of 127.0.0.1 and prints "listening on PORT".

#define _GNU_SOURCE
#include "CPeer.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BATCH = 512, INPUT = 64 << 10 };

// Met by everybody once all listen.
static pthread_barrier_t all_listen;
static char *answer;
static size_t answer_size;
static int closes;

static void read_answer(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail(path);
    answer_size = (size_t)ftell(file);
    rewind(file);
    answer = malloc(answer_size);
    if (!answer || fread(answer, 1, answer_size, file) != answer_size) fail(path);
    fclose(file);
}

// Sends what is owed, as far as the socket takes it.
static void pay(int set, struct peer *peer) {
    while (peer->owed) {
        size_t rest = peer->owed % answer_size ? peer->owed % answer_size : answer_size;
        ssize_t sent = send(peer->socket, answer + answer_size - rest, rest, MSG_NOSIGNAL);
        if (sent < 0) {
            watch(set, peer, EPOLL_CTL_MOD, EPOLLOUT);
            return;
        }
        peer->owed -= (size_t)sent;
    }
}

// Returns whether the connection stays.
static int serve(int set, struct peer *peer, uint32_t events, char *input) {
    if (events & EPOLLOUT) {
        if (events & (EPOLLERR | EPOLLHUP)) return 0;
        pay(set, peer);
        if (!peer->owed) watch(set, peer, EPOLL_CTL_MOD, EPOLLIN);
        return peer->owed || !closes;
    }
    ssize_t size = recv(peer->socket, input, INPUT, 0);
    if (size <= 0) return 0;
    peer->owed += count_requests(peer, input, (size_t)size) * answer_size;
    int is_asked = peer->owed > 0;
    pay(set, peer);
    return !is_asked || peer->owed || !closes;
}

static void *loop(void *address) {
    struct sockaddr_in own = *(struct sockaddr_in *)address;
    struct peer door = {.socket = listener(&own)};
    pthread_barrier_wait(&all_listen);
    struct epoll_event ready[BATCH];
    char *input = malloc(INPUT);
    int set = epoll_create1(EPOLL_CLOEXEC);
    watch(set, &door, EPOLL_CTL_ADD, EPOLLIN);
    for (;;) {
        int count = epoll_wait(set, ready, BATCH, -1);
        for (int i = 0; i < count; i++) {
            struct peer *peer = ready[i].data.ptr;
            if (peer == &door) {
                accept_all(set, door.socket);
            } else if (!serve(set, peer, ready[i].events, input)) {
                close(peer->socket);
                free(peer);
            }
        }
    }
    return NULL;
}

int main(int count, char **arguments) {
    closes = count == 3 && !strcmp(arguments[2], "close");
    if (count != 2 && !closes) {
        fprintf(stderr, "usage: %s FILE [close]\n", arguments[0]);
        return 2;
    }
    read_answer(arguments[1]);
    // The first thread's socket draws the port; the others join it there.
    struct sockaddr_in address = {.sin_port = 0};
    int first = listener(&address);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_barrier_init(&all_listen, NULL, (unsigned)cores + 1);
    pthread_t thread;
    for (long i = 0; i < cores; i++) pthread_create(&thread, NULL, loop, &address);
    pthread_barrier_wait(&all_listen);
    close(first);
    announce(&address);
    pause();
}
