#define _GNU_SOURCE
#include "answer.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Reads what says how long an answer is.
static void read_head(struct answer *answer) {
    answer->head[answer->head_size] = 0;
    if (strncmp(answer->head, "HTTP/1.1 ", 9)) {
        answer->is_broken = true;
        return;
    }
    answer->status = atoi(answer->head + 9);
    answer->is_in_body = true;
    answer->body_left = 0;
    if (answer->status == 304 || answer->status == 204) return;
    const char *field = strcasestr(answer->head, "\r\ncontent-length:");
    if (field) {
        answer->body_left = strtoull(field + 17, NULL, 10);
    } else {
        // Without a length, such as in chunks, the end is not looked for.
        answer->is_broken = true;
    }
}

size_t answer_take(struct answer *answer, const char *bytes, size_t size, bool *is_complete) {
    size_t used = 0;
    *is_complete = false;
    while (!answer->is_in_body && used < size && !answer->is_broken) {
        if (answer->head_size == HEAD_SIZE - 1) {
            answer->is_broken = true;
            break;
        }
        answer->head[answer->head_size++] = bytes[used++];
        if (answer->head_size >= 4 && bytes[used - 1] == '\n' &&
            !memcmp(answer->head + answer->head_size - 4, "\r\n\r\n", 4)) {
            read_head(answer);
        }
    }
    if (answer->is_in_body && !answer->is_broken) {
        size_t part = size - used < answer->body_left ? size - used : (size_t)answer->body_left;
        answer->body_left -= part;
        used += part;
        *is_complete = answer->body_left == 0;
        if (*is_complete) {
            answer->is_in_body = false;
            answer->head_size = 0;
        }
    }
    return used;
}

// Chunks may begin anywhere; what stands between them is on lines of its own that end with "\r\n",
// and so is neither data nor the empty line after an event.
void event_stream_take(struct event_stream *stream, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '\n') {
            if (stream->line_size < sizeof stream->line) {
                stream->line[stream->line_size] = bytes[i];
            }
            stream->line_size++;
            if (stream->line_size > sizeof stream->line) {
                // The rest of a long line is of no interest.
                const char *end = memchr(bytes + i, '\n', size - i);
                if (!end) return;
                i = (size_t)(end - bytes) - 1;
            }
            continue;
        }
        if (stream->line_size >= 5 && !memcmp(stream->line, "data:", 5)) stream->has_data = true;
        if (stream->line_size == 0 && stream->has_data) {
            stream->events++;
            stream->has_data = false;
        }
        stream->line_size = 0;
    }
}
