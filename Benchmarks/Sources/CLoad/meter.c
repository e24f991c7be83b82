#define _GNU_SOURCE
#include "channel.h"
#include <openssl/ssl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <zlib.h>

struct meter {
    struct load_target target;
    struct channel channel;
    void *session;
    struct meter_counts counts;
};

struct meter *meter_make(int port, bool secure) {
    struct meter *meter = calloc(1, sizeof *meter);
    meter->target = (struct load_target){.port = port, .secure = secure};
    meter->channel.socket = -1;
    return meter;
}

void meter_free(struct meter *meter) {
    meter_hang_up(meter);
    channel_drop_session(meter->session);
    free(meter);
}

int meter_send(struct meter *meter, const char *bytes, size_t size, char fault[FAULT_SIZE]) {
    if (meter->channel.socket < 0) {
        if (!channel_begin(&meter->channel, &meter->target, meter->session, fault)) return 1;
        channel_keep_session(&meter->channel, &meter->session);
        meter->counts.connections++;
    }
    double deadline = now_in_seconds() + 10;
    while (size) {
        ssize_t count = channel_send(&meter->channel, bytes, size);
        if (count == channel_gone) return 1;
        if (count == channel_later) {
            // A hello is under way, or the other side is slow.
            short events = meter->target.secure ? POLLIN : POLLOUT;
            if (!channel_wait(&meter->channel, events, deadline)) return 1;
            continue;
        }
        if (!meter->target.secure) meter->counts.sent += (uint64_t)count;
        bytes += count;
        size -= (size_t)count;
    }
    if (channel_is_resumed(&meter->channel)) meter->counts.is_resumed = true;
    return 0;
}

ptrdiff_t meter_receive(struct meter *meter, char *bytes, size_t size, double timeout) {
    double deadline = now_in_seconds() + timeout;
    for (;;) {
        ssize_t count = channel_receive(&meter->channel, bytes, size);
        if (count == channel_gone) return 0;
        if (count != channel_later) {
            if (!meter->target.secure) meter->counts.received += (uint64_t)count;
            return count;
        }
        if (!channel_wait(&meter->channel, POLLIN, deadline)) return -1;
    }
}

struct meter_counts meter_counts(const struct meter *meter) {
    struct meter_counts counts = meter->counts;
    if (meter->channel.tls) {
        counts.sent += BIO_number_written(SSL_get_wbio(meter->channel.tls));
        counts.received += BIO_number_read(SSL_get_rbio(meter->channel.tls));
    }
    return counts;
}

void meter_hang_up(struct meter *meter) {
    if (meter->channel.socket < 0) return;
    if (meter->channel.tls) {
        // The other side says goodbye, too.
        char rest[256];
        double deadline = now_in_seconds() + 1;
        SSL_shutdown(meter->channel.tls);
        shutdown(meter->channel.socket, SHUT_WR);
        while (channel_receive(&meter->channel, rest, sizeof rest) == channel_later) {
            if (!channel_wait(&meter->channel, POLLIN, deadline)) break;
        }
        meter->counts = meter_counts(meter);
    }
    channel_close(&meter->channel);
}

struct coder {
    z_stream stream;
    bool compresses;
};

struct coder *coder_make(bool compresses, int level) {
    struct coder *coder = calloc(1, sizeof *coder);
    coder->compresses = compresses;
    // With a header and a trailer of gzip.
    int window = MAX_WBITS + 16;
    if (compresses) {
        deflateInit2(&coder->stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
    } else {
        inflateInit2(&coder->stream, window);
    }
    return coder;
}

void coder_free(struct coder *coder) {
    if (coder->compresses) {
        deflateEnd(&coder->stream);
    } else {
        inflateEnd(&coder->stream);
    }
    free(coder);
}

void *coder_take(struct coder *coder, const void *bytes, size_t size, bool ends,
                 size_t *output_size) {
    z_stream *stream = &coder->stream;
    size_t room = size * (coder->compresses ? 1 : 8) + 1024;
    char *output = malloc(room);
    *output_size = 0;
    stream->next_in = (Bytef *)(uintptr_t)bytes;
    stream->avail_in = (uInt)size;
    for (;;) {
        stream->next_out = (Bytef *)output + *output_size;
        stream->avail_out = (uInt)(room - *output_size);
        int outcome = coder->compresses ? deflate(stream, ends ? Z_FINISH : Z_SYNC_FLUSH)
                                        : inflate(stream, Z_SYNC_FLUSH);
        *output_size = room - stream->avail_out;
        // Nothing was left to do.
        if (outcome == Z_BUF_ERROR) outcome = Z_OK;
        if (outcome != Z_OK && outcome != Z_STREAM_END) break;
        if (stream->avail_out) return output;
        output = realloc(output, room *= 2);
    }
    free(output);
    return NULL;
}
