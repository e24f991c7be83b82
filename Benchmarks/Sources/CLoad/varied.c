#define _GNU_SOURCE
#include "answer.h"
#include "channel.h"
#include "histogram.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { BATCH = 512, INPUT = 256 << 10, NUMBER_SIZE = 16 };

// Where a client is with its request.
enum phase { phase_sending, phase_reading, phase_ending };

struct client {
    struct channel channel;
    struct answer answer;
    struct event_stream stream;
    enum phase phase;
    struct varied_request *request;
    size_t sent_size;
    double sent;
    void *session;
};

struct varied {
    const struct varied_load *load;
    struct load_target target;
    struct load_result *result;
    struct histogram times;
    char *input;
    struct client *clients;
    int set;
    uint64_t number;
    size_t next;
    // Requests that are still to be begun; SIZE_MAX: without end.
    size_t left;
    int active;
};

static bool fail(struct varied *varied, const char *why) {
    if (!varied->result->fault[0]) snprintf(varied->result->fault, FAULT_SIZE, "%s", why);
    return false;
}

static void write_number(struct varied *varied, char *place) {
    static const char digits[] = "0123456789abcdef";
    uint64_t number = varied->number++;
    for (int i = NUMBER_SIZE - 1; i >= 0; i--, number >>= 4) place[i] = digits[number & 15];
}

static bool send_rest(struct varied *varied, struct client *client) {
    const struct varied_request *request = client->request;
    ssize_t sent = channel_send(&client->channel, request->bytes + client->sent_size,
                                request->size - client->sent_size);
    if (sent == channel_later) return true;
    if (sent == channel_gone) return fail(varied, "the server closed a connection");
    client->sent_size += (size_t)sent;
    if (client->sent_size == request->size) client->phase = phase_reading;
    return true;
}

static bool connect_client(struct varied *varied, struct client *client) {
    void *session = varied->load->resumes ? client->session : NULL;
    if (!channel_begin(&client->channel, &varied->target, session, varied->result->fault)) {
        return false;
    }
    if (varied->load->resumes) channel_keep_session(&client->channel, &client->session);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    epoll_ctl(varied->set, EPOLL_CTL_ADD, client->channel.socket, &event);
    return true;
}

// Begins the next request, if there is one.
static bool ask(struct varied *varied, struct client *client, double now) {
    if (!varied->left) {
        varied->active--;
        return true;
    }
    if (varied->left != SIZE_MAX) varied->left--;
    client->request = &varied->load->requests[varied->next];
    varied->next = varied->next + 1 == varied->load->count ? 0 : varied->next + 1;
    write_number(varied, client->request->bytes + client->request->number_at);
    client->sent = now;
    client->sent_size = 0;
    client->phase = phase_sending;
    memset(&client->stream, 0, sizeof client->stream);
    client->answer.head_size = 0;
    client->answer.is_in_body = false;
    if (client->channel.socket < 0 && !connect_client(varied, client)) return false;
    return send_rest(varied, client);
}

// What a client asks with is the tag of what it has.
static void follow(struct varied_request *request, struct answer *answer) {
    if (!request->tag_size || answer->status != 200) return;
    const char *field = strcasestr(answer->head, "\r\netag: ");
    if (!field) return;
    const char *end = strstr(field + 8, "\r\n");
    if (end && (size_t)(end - field - 8) == request->tag_size) {
        memcpy(request->bytes + request->tag_at, field + 8, request->tag_size);
    }
}

static bool count(struct varied *varied, struct client *client, int status) {
    struct load_result *result = varied->result;
    double now = now_in_seconds();
    if (!result->answers++) result->status = status;
    if (status != result->status) result->strangers++;
    histogram_add(&varied->times, (now - client->sent) * 1e6);
    if (!varied->load->connects) return ask(varied, client, now);
    if (channel_is_resumed(&client->channel)) result->resumptions++;
    client->phase = phase_ending;
    return true;
}

// The connection is over: the next request has one of its own.
static bool renew(struct varied *varied, struct client *client) {
    channel_finish(&client->channel);
    return ask(varied, client, now_in_seconds());
}

static bool take_event(struct varied *varied, struct client *client, size_t size) {
    if (client->phase == phase_ending) return true;
    event_stream_take(&client->stream, varied->input, size);
    if (!client->stream.events) return true;
    return count(varied, client, 200) && renew(varied, client);
}

static bool take(struct varied *varied, struct client *client, size_t size) {
    varied->result->bytes += size;
    if (varied->load->streams) return take_event(varied, client, size);
    bool is_complete;
    size_t used = answer_take(&client->answer, varied->input, size, &is_complete);
    if (client->answer.is_broken) return fail(varied, "an answer without a length");
    if (used < size) return fail(varied, "more than was asked for");
    if (!is_complete) return true;
    follow(client->request, &client->answer);
    return count(varied, client, client->answer.status);
}

static bool serve(struct varied *varied, struct client *client) {
    for (;;) {
        if (client->phase == phase_sending && !send_rest(varied, client)) return false;
        if (client->phase == phase_sending) return true;
        int socket = client->channel.socket;
        ssize_t size = channel_receive(&client->channel, varied->input, INPUT);
        if (size == channel_later) return true;
        if (size == channel_gone) {
            if (client->phase != phase_ending) {
                return fail(varied, "the server closed a connection");
            }
            return renew(varied, client);
        }
        if (!take(varied, client, (size_t)size)) return false;
        // A bare socket tells again; what TLS has decrypted nobody tells of.
        if (!client->channel.tls || client->channel.socket != socket) return true;
    }
}

static void run(struct varied *varied) {
    const struct varied_load *load = varied->load;
    struct epoll_event ready[BATCH];
    double start = now_in_seconds(), end = start + load->seconds;
    bool is_well = true;
    for (int i = 0; is_well && i < load->connections; i++) {
        is_well = ask(varied, &varied->clients[i], start);
    }
    while (is_well && varied->active && now_in_seconds() < end) {
        int found = epoll_wait(varied->set, ready, BATCH, 100);
        for (int i = 0; is_well && i < found; i++) is_well = serve(varied, ready[i].data.ptr);
    }
    varied->result->seconds = now_in_seconds() - start;
    varied->result->median = histogram_percentile(&varied->times, 0.5);
    varied->result->p99 = histogram_percentile(&varied->times, 0.99);
    if (!varied->result->answers) fail(varied, "no answer");
}

static struct varied *prepare(const struct varied_load *load, size_t left,
                              struct load_result *result) {
    struct varied *varied = calloc(1, sizeof *varied);
    memset(result, 0, sizeof *result);
    varied->load = load;
    varied->target.port = load->port;
    varied->target.secure = load->secure;
    varied->result = result;
    varied->number = load->number;
    varied->next = load->number % load->count;
    varied->left = left;
    varied->active = load->connections;
    varied->input = malloc(INPUT);
    varied->set = epoll_create1(EPOLL_CLOEXEC);
    varied->clients = calloc((size_t)load->connections, sizeof *varied->clients);
    for (int i = 0; i < load->connections; i++) varied->clients[i].channel.socket = -1;
    return varied;
}

static int finish(struct varied *varied) {
    int status = varied->result->fault[0] ? 1 : 0;
    for (int i = 0; i < varied->load->connections; i++) {
        channel_close(&varied->clients[i].channel);
        channel_drop_session(varied->clients[i].session);
    }
    close(varied->set);
    free(varied->clients);
    free(varied->input);
    free(varied);
    return status;
}

int load_run_varied(const struct varied_load *load, struct load_result *result) {
    struct varied *varied = prepare(load, SIZE_MAX, result);
    run(varied);
    return finish(varied);
}

int load_send_each(const struct varied_load *load, char fault[FAULT_SIZE]) {
    struct load_result result;
    struct varied *varied = prepare(load, load->count, &result);
    varied->next = 0;
    run(varied);
    if (!result.fault[0] && result.answers < load->count) fail(varied, "the time was up");
    if (!result.fault[0] && (result.status >= 400 || result.strangers)) {
        snprintf(result.fault, FAULT_SIZE, "status %d, or others", result.status);
    }
    snprintf(fault, FAULT_SIZE, "%s", result.fault);
    return finish(varied);
}
