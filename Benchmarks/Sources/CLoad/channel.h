// One connection, bare or by TLS.

#ifndef CHANNEL_H
#define CHANNEL_H

#include "CLoad.h"
#include <sys/types.h>

struct channel {
    int socket;
    void *tls;
};

// What receiving and sending return besides a number of bytes.
enum { channel_later = -1, channel_gone = -2 };

double now_in_seconds(void);

// Connects, and shakes hands; sockets do not block from then on.
bool channel_open(struct channel *channel, const struct load_target *target,
                  char fault[FAULT_SIZE]);
// Connects from one of many addresses, so that ports last; the hello is under way when it returns,
// and goes on with sending and receiving. A session, if there is one, is taken up.
bool channel_begin(struct channel *channel, const struct load_target *target, void *session,
                   char fault[FAULT_SIZE]);
// Has the sessions that servers offer put where `session` points.
void channel_keep_session(struct channel *channel, void **session);
void channel_drop_session(void *session);
bool channel_is_resumed(const struct channel *channel);
// Closes without a reset, as clients do that have had their answer.
void channel_finish(struct channel *channel);
void channel_close(struct channel *channel);
ssize_t channel_receive(struct channel *channel, char *bytes, size_t size);
ssize_t channel_send(struct channel *channel, const char *bytes, size_t size);

// Sends all, waiting where the other side is slow.
bool channel_send_all(struct channel *channel, const char *bytes, size_t size, double deadline);
// Waits until there is something to read.
bool channel_wait(struct channel *channel, short events, double deadline);

#endif
