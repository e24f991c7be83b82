// libcurl, with functions in place of the variadic functions and macros that Swift cannot import.
#pragma once
#include <curl/curl.h>

/// Sets an option that is a number (curl_easy_setopt(3)).
static inline CURLcode freshet_curl_set(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/// Sets an option that is a text; it is copied, but for CURLOPT_POSTFIELDS.
static inline CURLcode freshet_curl_setText(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/// Sets an option that is a pointer; it is not copied.
static inline CURLcode freshet_curl_setPointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

/// Sets the body of the request, which is copied (CURLOPT_COPYPOSTFIELDS(3)).
static inline CURLcode freshet_curl_setBody(CURL *easy, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    if (code != CURLE_OK) return code;
    return curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

typedef size_t (*freshet_curl_receive)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*freshet_curl_open)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);

/// Sets what is called with each line of a head and with each part of a body.
static inline void freshet_curl_setReceivers(
    CURL *easy, freshet_curl_receive head, freshet_curl_receive body, void *context) {
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, head);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

/// Sets what opens the socket of a new connection (CURLOPT_OPENSOCKETFUNCTION(3)).
static inline void freshet_curl_setOpening(CURL *easy, freshet_curl_open open, void *context) {
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

/// Allows http and https alone, whatever this libcurl can do (CURLOPT_PROTOCOLS_STR(3)).
static inline CURLcode freshet_curl_allowWebOnly(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
}

/// Returns the value of CURLOPT_PRIVATE.
static inline void *freshet_curl_private(CURL *easy) {
    char *value = 0;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
    return value;
}

/// Returns the result in a message about an ended transfer (curl_multi_info_read(3)).
static inline CURLcode freshet_curl_result(const CURLMsg *message) {
    return message->data.result;
}

/// Sets an option of a set of transfers that is a number (curl_multi_setopt(3)).
static inline void freshet_curl_setMulti(CURLM *multi, CURLMoption option, long value) {
    curl_multi_setopt(multi, option, value);
}

/// The value that a receiver returns to have the transfer pause (CURL_WRITEFUNC_PAUSE).
static const size_t freshet_curl_pause = CURL_WRITEFUNC_PAUSE;

/// The value that a receiver returns, for any count, to have the transfer fail.
static const size_t freshet_curl_abort = 0xFFFFFFFE;

/// The value returned in place of a socket that is refused (CURL_SOCKET_BAD).
static const curl_socket_t freshet_curl_noSocket = CURL_SOCKET_BAD;

/// The address that a connection is about to go to; `address->addrlen` bytes.
static inline const struct sockaddr *freshet_curl_address(const struct curl_sockaddr *address) {
    return &address->addr;
}
