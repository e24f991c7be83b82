#define _GNU_SOURCE
#include "answer.h"
#include "channel.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

// As many connections as are opened before the first of them must have its answer.
enum { BATCH = 512, INPUT = 64 << 10, WINDOW = 500 };

struct member {
    struct channel channel;
    union {
        struct answer *answer;
        struct event_stream stream;
    };
    uint64_t bytes;
    uint64_t taken;
    double done;
};

struct crowd {
    struct load_target target;
    enum crowd_kind kind;
    int set;
    int size;
    // Who waits for the answer whose number is `wanted`.
    int waiting;
    uint64_t wanted;
    struct member *members;
    // Where publishes go.
    struct member publisher;
    bool is_published;
    char input[INPUT];
};

static void watch(struct crowd *crowd, struct member *member) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = member};
    epoll_ctl(crowd->set, EPOLL_CTL_ADD, member->channel.socket, &event);
}

// Counts one answer, or as many events as there were.
static bool take(struct crowd *crowd, struct member *member, size_t size) {
    bool is_complete = false;
    if (member == &crowd->publisher) {
        answer_take(member->answer, crowd->input, size, &is_complete);
        if (is_complete) crowd->is_published = true;
        return !member->answer->is_broken && member->answer->status < 400;
    }
    uint64_t before = member->taken;
    member->bytes += size;
    if (crowd->kind == crowd_events) {
        event_stream_take(&member->stream, crowd->input, size);
        member->taken = member->stream.events;
    } else {
        answer_take(member->answer, crowd->input, size, &is_complete);
        if (is_complete) member->taken++;
        if (member->answer->is_broken || member->answer->status >= 400) return false;
    }
    if (before < crowd->wanted && member->taken >= crowd->wanted) {
        member->done = now_in_seconds();
        crowd->waiting--;
    }
    return true;
}

static bool wait_for_all(struct crowd *crowd, double deadline, char fault[FAULT_SIZE]) {
    struct epoll_event ready[BATCH];
    while (crowd->waiting || !crowd->is_published) {
        double rest = deadline - now_in_seconds();
        if (rest <= 0) return true;
        int found = epoll_wait(crowd->set, ready, BATCH, (int)(rest * 1000) + 1);
        for (int i = 0; i < found; i++) {
            struct member *member = ready[i].data.ptr;
            ssize_t size = channel_receive(&member->channel, crowd->input, INPUT);
            if (size == channel_later) continue;
            if (size == channel_gone || !take(crowd, member, (size_t)size)) {
                snprintf(fault, FAULT_SIZE, "a connection was closed, or had an error for answer");
                return false;
            }
        }
    }
    return true;
}

static bool open_member(struct crowd *crowd, struct member *member, double deadline,
                        char fault[FAULT_SIZE]) {
    if (!channel_open(&member->channel, &crowd->target, fault)) return false;
    if (crowd->kind == crowd_answers) member->answer = calloc(1, sizeof *member->answer);
    watch(crowd, member);
    if (channel_send_all(&member->channel, crowd->target.request, crowd->target.request_size,
                         deadline)) {
        return true;
    }
    snprintf(fault, FAULT_SIZE, "a request was not taken");
    return false;
}

static bool open_all(struct crowd *crowd, int connections, double timeout,
                     char fault[FAULT_SIZE]) {
    double deadline = now_in_seconds() + timeout;
    crowd->wanted = 1;
    crowd->is_published = true;
    while (crowd->size < connections) {
        for (int i = 0; i < WINDOW && crowd->size < connections; i++) {
            if (!open_member(crowd, &crowd->members[crowd->size++], deadline, fault)) return false;
            crowd->waiting++;
        }
        if (!wait_for_all(crowd, deadline, fault)) return false;
        if (crowd->waiting) {
            snprintf(fault, FAULT_SIZE, "%d of %d had no answer", crowd->waiting, crowd->size);
            return false;
        }
    }
    if (!channel_open(&crowd->publisher.channel, &crowd->target, fault)) return false;
    crowd->publisher.answer = calloc(1, sizeof *crowd->publisher.answer);
    watch(crowd, &crowd->publisher);
    return true;
}

struct crowd *crowd_open(const struct load_target *target, enum crowd_kind kind, int connections,
                         double timeout, char fault[FAULT_SIZE]) {
    struct crowd *crowd = calloc(1, sizeof *crowd);
    crowd->target = *target;
    crowd->kind = kind;
    crowd->set = epoll_create1(EPOLL_CLOEXEC);
    crowd->members = calloc((size_t)connections, sizeof *crowd->members);
    crowd->publisher.channel.socket = -1;
    fault[0] = 0;
    if (open_all(crowd, connections, timeout, fault)) return crowd;
    crowd_close(crowd);
    return NULL;
}

void crowd_close(struct crowd *crowd) {
    for (int i = 0; i < crowd->size; i++) {
        channel_close(&crowd->members[i].channel);
        if (crowd->kind == crowd_answers) free(crowd->members[i].answer);
    }
    channel_close(&crowd->publisher.channel);
    free(crowd->publisher.answer);
    close(crowd->set);
    free(crowd->members);
    free(crowd);
}

static int ascending(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

// Everybody waits for one answer more than all have had.
static void begin(struct crowd *crowd) {
    crowd->wanted = 0;
    for (int i = 0; i < crowd->size; i++) {
        struct member *member = &crowd->members[i];
        if (member->taken > crowd->wanted) crowd->wanted = member->taken;
        member->bytes = 0;
    }
    crowd->wanted++;
    crowd->waiting = crowd->size;
}

static void summarize(struct crowd *crowd, double start, struct crowd_times *times) {
    double *done = calloc((size_t)crowd->size + 1, sizeof *done);
    int count = 0;
    for (int i = 0; i < crowd->size; i++) {
        struct member *member = &crowd->members[i];
        if (member->taken >= crowd->wanted) done[count++] = (member->done - start) * 1e6;
    }
    qsort(done, (size_t)count, sizeof *done, ascending);
    memset(times, 0, sizeof *times);
    times->missed = crowd->size - count;
    if (count) {
        times->median = done[count / 2];
        times->p99 = done[count * 99 / 100];
        times->last = done[count - 1];
        times->bytes = crowd->members[crowd->size / 2].bytes;
    }
    free(done);
}

int crowd_ask(struct crowd *crowd, const char *request, size_t size, double timeout,
              struct crowd_times *times, char fault[FAULT_SIZE]) {
    double start = now_in_seconds(), deadline = start + timeout;
    fault[0] = 0;
    begin(crowd);
    crowd->is_published = true;
    for (int i = 0; i < crowd->size; i++) {
        if (!channel_send_all(&crowd->members[i].channel, request, size, deadline)) {
            snprintf(fault, FAULT_SIZE, "a request was not taken");
            return 1;
        }
    }
    if (!wait_for_all(crowd, deadline, fault)) return 1;
    summarize(crowd, start, times);
    return 0;
}

int crowd_publish(struct crowd *crowd, const char *request, size_t size, double timeout,
                  struct crowd_times *times, char fault[FAULT_SIZE]) {
    double start = now_in_seconds(), deadline = start + timeout;
    fault[0] = 0;
    begin(crowd);
    crowd->is_published = false;
    if (!channel_send_all(&crowd->publisher.channel, request, size, deadline)) {
        snprintf(fault, FAULT_SIZE, "a publish was not taken");
        return 1;
    }
    if (!wait_for_all(crowd, deadline, fault)) return 1;
    if (!crowd->is_published) {
        snprintf(fault, FAULT_SIZE, "a publish was not answered");
        return 1;
    }
    summarize(crowd, start, times);
    return 0;
}
