#define _GNU_SOURCE
#include "answer.h"
#include "channel.h"
#include "histogram.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { BATCH = 512, INPUT = 256 << 10 };

struct client {
    struct channel channel;
    struct answer answer;
    double sent;
};

struct load {
    const struct load_target *target;
    struct load_result *result;
    struct histogram times;
    char *input;
    // The size of an answer that came in one piece, so that the next need not be read.
    size_t usual_size;
    char usual_start[12];
};

static bool fail(struct load *load, const char *why) {
    snprintf(load->result->fault, FAULT_SIZE, "%s", why);
    return false;
}

static bool ask(struct load *load, struct client *client, double now) {
    client->sent = now;
    ssize_t sent =
        channel_send(&client->channel, load->target->request, load->target->request_size);
    if (sent == (ssize_t)load->target->request_size) return true;
    return fail(load, "the server closed a connection, or took a part of a request");
}

static bool count(struct load *load, struct client *client, int status) {
    struct load_result *result = load->result;
    double now = now_in_seconds();
    if (!result->answers++) result->status = status;
    if (status != result->status) result->strangers++;
    histogram_add(&load->times, (now - client->sent) * 1e6);
    return ask(load, client, now);
}

static bool take(struct load *load, struct client *client, size_t size) {
    const char *bytes = load->input;
    load->result->bytes += size;
    bool is_usual = size == load->usual_size && !client->answer.head_size &&
                    !client->answer.is_in_body && !memcmp(bytes, load->usual_start, 12);
    if (is_usual) return count(load, client, load->result->status);
    bool is_fresh = !client->answer.head_size && !client->answer.is_in_body, is_complete;
    size_t used = answer_take(&client->answer, bytes, size, &is_complete);
    if (client->answer.is_broken) return fail(load, "an answer without a length");
    if (used < size) return fail(load, "more than was asked for");
    if (!is_complete) return true;
    int status = client->answer.status;
    if (is_fresh && (!load->result->answers || status == load->result->status)) {
        load->usual_size = size;
        memcpy(load->usual_start, bytes, 12);
    }
    return count(load, client, status);
}

static bool serve(struct load *load, struct client *client) {
    for (;;) {
        ssize_t size = channel_receive(&client->channel, load->input, INPUT);
        if (size == channel_later) return true;
        if (size == channel_gone) return fail(load, "the server closed a connection");
        if (!take(load, client, (size_t)size)) return false;
        // A bare socket tells again; what TLS has decrypted nobody tells of.
        if (!client->channel.tls) return true;
    }
}

static struct client *open_clients(struct load *load, int connections, int set) {
    struct client *clients = calloc((size_t)connections, sizeof *clients);
    for (int i = 0; i < connections; i++) clients[i].channel.socket = -1;
    for (int i = 0; i < connections; i++) {
        struct client *client = &clients[i];
        if (!channel_open(&client->channel, load->target, load->result->fault)) break;
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
        epoll_ctl(set, EPOLL_CTL_ADD, client->channel.socket, &event);
    }
    return clients;
}

static void run(struct load *load, struct client *clients, int connections, int set,
                double seconds) {
    struct epoll_event ready[BATCH];
    double start = now_in_seconds(), end = start + seconds;
    bool is_well = !load->result->fault[0];
    for (int i = 0; is_well && i < connections; i++) is_well = ask(load, &clients[i], start);
    while (is_well && now_in_seconds() < end) {
        int found = epoll_wait(set, ready, BATCH, 100);
        for (int i = 0; is_well && i < found; i++) is_well = serve(load, ready[i].data.ptr);
    }
    load->result->seconds = now_in_seconds() - start;
    load->result->median = histogram_percentile(&load->times, 0.5);
    load->result->p99 = histogram_percentile(&load->times, 0.99);
    if (!load->result->answers && is_well) fail(load, "no answer");
}

int load_run(const struct load_target *target, int connections, double seconds,
             struct load_result *result) {
    memset(result, 0, sizeof *result);
    struct load *load = calloc(1, sizeof *load);
    load->target = target;
    load->result = result;
    load->input = malloc(INPUT);
    int set = epoll_create1(EPOLL_CLOEXEC);
    struct client *clients = open_clients(load, connections, set);
    run(load, clients, connections, set, seconds);
    for (int i = 0; i < connections; i++) channel_close(&clients[i].channel);
    close(set);
    free(clients);
    free(load->input);
    free(load);
    return result->fault[0] ? 1 : 0;
}
