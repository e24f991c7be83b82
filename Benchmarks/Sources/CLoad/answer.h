// Finds where answers end.

#ifndef ANSWER_H
#define ANSWER_H

#include "CLoad.h"

enum { HEAD_SIZE = 2048 };

// The part of an answer that has arrived.
struct answer {
    char head[HEAD_SIZE];
    size_t head_size;
    // Known once the head is complete.
    int status;
    uint64_t body_left;
    bool is_in_body;
    bool is_broken;
};

// Takes bytes of one answer; returns how many belong to it, and says whether that was the last.
size_t answer_take(struct answer *answer, const char *bytes, size_t size, bool *is_complete);

// An event stream's answer: how far it has come, and how many events with data it had.
struct event_stream {
    uint64_t events;
    // The first bytes of the line that is arriving, and how long it is.
    char line[6];
    uint32_t line_size;
    bool has_data;
};

void event_stream_take(struct event_stream *stream, const char *bytes, size_t size);

#endif
