// Clients of an HTTP/1.1 server on this machine, many at once, in one thread.
//
// Everything goes to 127.0.0.1 and ends after a time that the caller says. Functions that return an
// int return 0 where all went well; else a word about what did not is in `fault`.

#ifndef CLOAD_H
#define CLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAULT_SIZE = 120 };

// Bytes that this process's allocator has handed out and not got back.
size_t load_heap_size(void);

// What is asked, of whom.
struct load_target {
    int port;
    // By TLS 1.3; no certificate is checked.
    bool secure;
    // A whole request.
    const char *request;
    size_t request_size;
};

// What came of a load.
struct load_result {
    uint64_t answers;
    // Answers with another status than the first one's.
    uint64_t strangers;
    int status;
    uint64_t bytes;
    double seconds;
    // Connections that went on with a TLS session.
    uint64_t resumptions;
    // Until an answer was complete, in microseconds.
    double median;
    double p99;
    char fault[FAULT_SIZE];
};

// Keeps one request under way on each connection.
int load_run(const struct load_target *target, int connections, double seconds,
             struct load_result *result);

// One of many requests that differ from each other.
struct varied_request {
    // A whole request, which the load changes in two places.
    char *bytes;
    size_t size;
    // Where 16 hexadecimal digits stand, which are other ones each time.
    size_t number_at;
    // The value of If-None-Match, which follows what the server answers; of no bytes: none.
    size_t tag_at;
    size_t tag_size;
};

// How they are sent.
struct varied_load {
    int port;
    // By TLS 1.3; no certificate is checked.
    bool secure;
    // Each on a connection of its own, which the server closes.
    bool connects;
    // Such a connection goes on with the last one's TLS session.
    bool resumes;
    // An answer is a stream, of which one event is read.
    bool streams;
    struct varied_request *requests;
    size_t count;
    // As many are under way.
    int connections;
    double seconds;
    // The first number; no two loads have the same.
    uint64_t number;
};

// Sends requests in turn, no two of them the same.
int load_run_varied(const struct varied_load *load, struct load_result *result);

// Sends each request once, and waits for all answers, with a status below 400 each.
int load_send_each(const struct varied_load *load, char fault[FAULT_SIZE]);

// SHA-256.
void load_digest(const char *bytes, size_t size, uint8_t digest[32]);

// Sends one request and returns the answer as it arrived, which the caller frees; NULL: none came.
char *load_exchange(const struct load_target *target, double timeout, size_t *size,
                    char fault[FAULT_SIZE]);

// A client with one connection at a time, whose bytes are counted.
struct meter;

// Bytes as TCP carries them: with TLS, of all records and hellos.
struct meter_counts {
    uint64_t sent;
    uint64_t received;
    uint64_t connections;
    // A connection went on with an earlier one's TLS session.
    bool is_resumed;
};

// Makes a client that has no connection yet.
struct meter *meter_make(int port, bool secure);
void meter_free(struct meter *meter);
// Sends bytes, on a new connection where there is none, which goes on with the last TLS session.
int meter_send(struct meter *meter, const char *bytes, size_t size, char fault[FAULT_SIZE]);
// Returns how many bytes have come; 0: the server has closed; -1: none came in time.
ptrdiff_t meter_receive(struct meter *meter, char *bytes, size_t size, double timeout);
// Closes the connection, if there is one.
void meter_hang_up(struct meter *meter);
struct meter_counts meter_counts(const struct meter *meter);

// A gzip stream, written or read.
struct coder;

struct coder *coder_make(bool compresses, int level);
void coder_free(struct coder *coder);
// Takes bytes and returns all that follows from them, which the caller frees; NULL: they are wrong.
void *coder_take(struct coder *coder, const void *bytes, size_t size, bool ends,
                 size_t *output_size);

// Connections that stay open.
struct crowd;

// What clients of a crowd take for an answer.
enum crowd_kind {
    // A head, and as many bytes as its Content-Length says.
    crowd_answers,
    // A server-sent event with data.
    crowd_events,
};

// Opens connections, sends the request on each, and waits until each has its first answer.
struct crowd *crowd_open(const struct load_target *target, enum crowd_kind kind, int connections,
                         double timeout, char fault[FAULT_SIZE]);
void crowd_close(struct crowd *crowd);

// When the clients of a crowd had their answers, in microseconds since the first byte was sent.
struct crowd_times {
    double median;
    double p99;
    double last;
    // Bytes that arrived at the median client.
    uint64_t bytes;
    // Clients that had nothing when the time was over.
    int missed;
};

// Sends a request on every connection, and waits for all answers.
int crowd_ask(struct crowd *crowd, const char *request, size_t size, double timeout,
              struct crowd_times *times, char fault[FAULT_SIZE]);

// Sends a request on a connection of its own, and waits until it is answered and every client of
// the crowd has one event more.
int crowd_publish(struct crowd *crowd, const char *request, size_t size, double timeout,
                  struct crowd_times *times, char fault[FAULT_SIZE]);

#endif
