// PostgreSQL's client library, libpq, opened when it is first needed: a server that keeps no feeds in
// a database needs no such library, and neither does a build. Its interface has been the same since
// version 14 of PostgreSQL (postgresql.org/docs/current/libpq.html).
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

/// Opens the library, once. Returns NULL, or why there is none.
const char *freshet_pq_open(void);

/// PQconnectdbParams; the value of "dbname" is expanded and wins over what stands before it. The last
/// of both lists is NULL. Waits. Warnings that come are added to a count, which must outlive the
/// connection.
PGconn *freshet_pq_connect(const char *const *names, const char *const *values, int *warnings);
void freshet_pq_finish(PGconn *connection);
bool freshet_pq_isOpen(const PGconn *connection);
const char *freshet_pq_error(const PGconn *connection);
const char *freshet_pq_host(const PGconn *connection);
const char *freshet_pq_port(const PGconn *connection);
const char *freshet_pq_database(const PGconn *connection);
int freshet_pq_socket(const PGconn *connection);
int freshet_pq_serverVersion(const PGconn *connection);
int freshet_pq_process(const PGconn *connection);

/// Sending returns 1 when it is taken; flushing 0 when all is sent, 1 when more waits.
bool freshet_pq_enterPipeline(PGconn *connection);
bool freshet_pq_sendPrepare(PGconn *connection, const char *name, const char *query);
bool freshet_pq_sendPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats);
bool freshet_pq_sendSync(PGconn *connection);
int freshet_pq_flush(PGconn *connection);
bool freshet_pq_consume(PGconn *connection);
bool freshet_pq_isBusy(PGconn *connection);

/// The payload of a notification; NULL: there is none. To be freed by freshet_pq_freeText.
char *freshet_pq_notification(PGconn *connection);
void freshet_pq_freeText(char *text);

/// The outcome of a statement.
enum freshet_pq_status {
    freshet_pq_status_none,
    freshet_pq_status_done,
    freshet_pq_status_failed,
    freshet_pq_status_skipped,
    freshet_pq_status_synced,
};

/// The next result, NULL at the end of a statement's. To be cleared.
PGresult *freshet_pq_result(PGconn *connection);
void freshet_pq_clear(PGresult *result);
int freshet_pq_status(const PGresult *result);
const char *freshet_pq_state(const PGresult *result);
const char *freshet_pq_message(const PGresult *result);
int freshet_pq_rowCount(const PGresult *result);
bool freshet_pq_isNull(const PGresult *result, int row, int column);
int freshet_pq_length(const PGresult *result, int row, int column);
const char *freshet_pq_value(const PGresult *result, int row, int column);
