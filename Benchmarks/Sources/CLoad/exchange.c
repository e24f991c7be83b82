#define _GNU_SOURCE
#include "answer.h"
#include "channel.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads one answer into memory that grows.
static char *receive(struct channel *channel, double deadline, size_t *size) {
    struct answer *answer = calloc(1, sizeof *answer);
    size_t room = 1 << 16;
    char *bytes = malloc(room);
    bool is_complete = false;
    *size = 0;
    while (!is_complete && !answer->is_broken) {
        if (*size == room) bytes = realloc(bytes, room *= 2);
        ssize_t count = channel_receive(channel, bytes + *size, room - *size);
        if (count == channel_gone) break;
        if (count == channel_later) {
            if (!channel_wait(channel, POLLIN, deadline)) break;
            continue;
        }
        answer_take(answer, bytes + *size, (size_t)count, &is_complete);
        *size += (size_t)count;
    }
    free(answer);
    if (is_complete) return bytes;
    free(bytes);
    return NULL;
}

char *load_exchange(const struct load_target *target, double timeout, size_t *size,
                    char fault[FAULT_SIZE]) {
    double deadline = now_in_seconds() + timeout;
    struct channel channel;
    char *answer = NULL;
    fault[0] = 0;
    if (!channel_open(&channel, target, fault)) return NULL;
    if (channel_send_all(&channel, target->request, target->request_size, deadline)) {
        answer = receive(&channel, deadline, size);
    }
    if (!answer) snprintf(fault, FAULT_SIZE, "no whole answer within %.0f s", timeout);
    channel_close(&channel);
    return answer;
}
