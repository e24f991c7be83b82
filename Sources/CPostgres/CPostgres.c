#define _GNU_SOURCE
#include "CPostgres.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The numbers of libpq-fe.h that are part of its interface.
enum { CONNECTION_OK = 0 };
enum {
    PGRES_COMMAND_OK = 1,
    PGRES_TUPLES_OK = 2,
    PGRES_PIPELINE_SYNC = 10,
    PGRES_PIPELINE_ABORTED = 11,
};
enum { PG_DIAG_SQLSTATE = 'C', PG_DIAG_MESSAGE_PRIMARY = 'M' };

typedef struct pgNotify {
    char *relname;
    int be_pid;
    char *extra;
    struct pgNotify *next;
} PGnotify;

// Each function with its type and its parameters.
#define FUNCTIONS(f)                                                                               \
    f(PGconn *, PQconnectdbParams, (const char *const *, const char *const *, int))                \
    f(void, PQfinish, (PGconn *))                                                                  \
    f(int, PQstatus, (const PGconn *))                                                             \
    f(char *, PQerrorMessage, (const PGconn *))                                                    \
    f(char *, PQhost, (const PGconn *))                                                            \
    f(char *, PQport, (const PGconn *))                                                            \
    f(char *, PQdb, (const PGconn *))                                                              \
    f(int, PQsocket, (const PGconn *))                                                             \
    f(int, PQserverVersion, (const PGconn *))                                                      \
    f(int, PQbackendPID, (const PGconn *))                                                         \
    f(int, PQsetnonblocking, (PGconn *, int))                                                      \
    f(int, PQenterPipelineMode, (PGconn *))                                                        \
    f(int, PQsendPrepare, (PGconn *, const char *, const char *, int, const unsigned *))           \
    f(int, PQsendQueryPrepared,                                                                    \
      (PGconn *, const char *, int, const char *const *, const int *, const int *, int))           \
    f(int, PQpipelineSync, (PGconn *))                                                             \
    f(int, PQflush, (PGconn *))                                                                    \
    f(int, PQconsumeInput, (PGconn *))                                                             \
    f(int, PQisBusy, (PGconn *))                                                                   \
    f(PGnotify *, PQnotifies, (PGconn *))                                                          \
    f(void, PQfreemem, (void *))                                                                   \
    f(PGresult *, PQgetResult, (PGconn *))                                                         \
    f(void, PQclear, (PGresult *))                                                                 \
    f(int, PQresultStatus, (const PGresult *))                                                     \
    f(char *, PQresultErrorField, (const PGresult *, int))                                         \
    f(char *, PQresultErrorMessage, (const PGresult *))                                            \
    f(int, PQntuples, (const PGresult *))                                                          \
    f(int, PQgetisnull, (const PGresult *, int, int))                                              \
    f(int, PQgetlength, (const PGresult *, int, int))                                              \
    f(char *, PQgetvalue, (const PGresult *, int, int))                                            \
    f(void *, PQsetNoticeReceiver, (PGconn *, void (*)(void *, const PGresult *), void *))

#define MEMBER(type, name, parameters) type(*name) parameters;
static struct { FUNCTIONS(MEMBER) } pq;

static const char *problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void openLibrary(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        problem = "PostgreSQL's client library, libpq.so.5, is not there (Debian: libpq5)";
        return;
    }
#define LOAD(type, name, parameters)                                                               \
    if (!(pq.name = (type(*) parameters)dlsym(library, #name)))                                    \
        problem = "PostgreSQL's client library has no " #name ": it must be version 14 or newer";
    FUNCTIONS(LOAD)
}

// Counts plain warnings (01000): with one, a COMMIT says that it did not wait for the standby. Notices
// of other kinds mean nothing here.
static void countWarning(void *context, const PGresult *notice) {
    const char *state = pq.PQresultErrorField(notice, PG_DIAG_SQLSTATE);
    if (context && state && !strcmp(state, "01000")) ++*(int *)context;
}

const char *freshet_pq_open(void) {
    pthread_once(&once, openLibrary);
    return problem;
}

PGconn *freshet_pq_connect(const char *const *names, const char *const *values, int *warnings) {
    PGconn *connection = pq.PQconnectdbParams(names, values, 1);
    if (connection && pq.PQstatus(connection) == CONNECTION_OK) {
        pq.PQsetNoticeReceiver(connection, countWarning, warnings);
        pq.PQsetnonblocking(connection, 1);
    }
    return connection;
}

void freshet_pq_finish(PGconn *connection) { pq.PQfinish(connection); }

bool freshet_pq_isOpen(const PGconn *connection) {
    return pq.PQstatus(connection) == CONNECTION_OK;
}

const char *freshet_pq_error(const PGconn *connection) { return pq.PQerrorMessage(connection); }

const char *freshet_pq_host(const PGconn *connection) { return pq.PQhost(connection); }

const char *freshet_pq_port(const PGconn *connection) { return pq.PQport(connection); }

const char *freshet_pq_database(const PGconn *connection) { return pq.PQdb(connection); }

int freshet_pq_socket(const PGconn *connection) { return pq.PQsocket(connection); }

int freshet_pq_serverVersion(const PGconn *connection) { return pq.PQserverVersion(connection); }

int freshet_pq_process(const PGconn *connection) { return pq.PQbackendPID(connection); }

bool freshet_pq_enterPipeline(PGconn *connection) { return pq.PQenterPipelineMode(connection) == 1; }

bool freshet_pq_sendPrepare(PGconn *connection, const char *name, const char *query) {
    return pq.PQsendPrepare(connection, name, query, 0, NULL) == 1;
}

bool freshet_pq_sendPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats) {
    // Results come in binary form.
    return pq.PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1) == 1;
}

bool freshet_pq_sendSync(PGconn *connection) { return pq.PQpipelineSync(connection) == 1; }

int freshet_pq_flush(PGconn *connection) { return pq.PQflush(connection); }

bool freshet_pq_consume(PGconn *connection) { return pq.PQconsumeInput(connection) == 1; }

bool freshet_pq_isBusy(PGconn *connection) { return pq.PQisBusy(connection) == 1; }

char *freshet_pq_notification(PGconn *connection) {
    PGnotify *notification = pq.PQnotifies(connection);
    if (!notification) return NULL;
    char *text = strdup(notification->extra);
    pq.PQfreemem(notification);
    return text;
}

void freshet_pq_freeText(char *text) { free(text); }

PGresult *freshet_pq_result(PGconn *connection) { return pq.PQgetResult(connection); }

void freshet_pq_clear(PGresult *result) { pq.PQclear(result); }

int freshet_pq_status(const PGresult *result) {
    switch (pq.PQresultStatus(result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK: return freshet_pq_status_done;
    case PGRES_PIPELINE_SYNC: return freshet_pq_status_synced;
    case PGRES_PIPELINE_ABORTED: return freshet_pq_status_skipped;
    default: return freshet_pq_status_failed;
    }
}

const char *freshet_pq_state(const PGresult *result) {
    const char *state = pq.PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state ? state : "";
}

const char *freshet_pq_message(const PGresult *result) {
    const char *message = pq.PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    return message ? message : pq.PQresultErrorMessage(result);
}

int freshet_pq_rowCount(const PGresult *result) { return pq.PQntuples(result); }

bool freshet_pq_isNull(const PGresult *result, int row, int column) {
    return pq.PQgetisnull(result, row, column) == 1;
}

int freshet_pq_length(const PGresult *result, int row, int column) {
    return pq.PQgetlength(result, row, column);
}

const char *freshet_pq_value(const PGresult *result, int row, int column) {
    return pq.PQgetvalue(result, row, column);
}
