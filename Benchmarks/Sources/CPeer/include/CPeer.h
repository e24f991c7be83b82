// What the yardsticks in C share.

#ifndef CPEER_H
#define CPEER_H

#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>

// A connection that is served.
struct peer {
    int socket;
    // How much of the line that is arriving has arrived.
    size_t line_size;
    // Bytes that its socket has not taken yet.
    size_t owed;
};

// Prints what failed, and ends the process.
void fail(const char *what);

// Listens on a port of 127.0.0.1 that `address` has from then on; several sockets may have it.
int listener(struct sockaddr_in *address);

// Accepts all that wait, and watches them.
void accept_all(int set, int listener);

// Sets what a connection is watched for.
void watch(int set, struct peer *peer, int operation, uint32_t events);

// How many requests, without bodies, end in these bytes.
size_t count_requests(struct peer *peer, const char *bytes, size_t size);

// Tells the benchmark which port it is.
void announce(const struct sockaddr_in *address);

#endif
