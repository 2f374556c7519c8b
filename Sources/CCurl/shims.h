#pragma once

// libcurl's variadic calls at fixed arity, by the kind of their value.

#include <curl/curl.h>

static inline void ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    curl_easy_setopt(handle, option, value);
}
static inline void ccurl_set_number(CURL *handle, CURLoption option, long value) {
    curl_easy_setopt(handle, option, value);
}
static inline void ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    curl_easy_setopt(handle, option, value);
}
static inline void ccurl_set_headers(CURL *handle, struct curl_slist *headers) {
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

typedef size_t (*ccurl_data)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_progress)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
typedef int (*ccurl_connected)(void *context, char *address, char *local, int port, int local_port);
typedef curl_socket_t (*ccurl_open)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

/// Has everything that happens told to these, each with `context`.
static inline void ccurl_set_callbacks(
    CURL *handle, void *context, ccurl_data header, ccurl_data body, ccurl_data upload, ccurl_progress progress,
    ccurl_open open, ccurl_connected connected) {
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, upload);
    curl_easy_setopt(handle, CURLOPT_READDATA, context);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
    curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, connected);
    curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
}

static inline long ccurl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/// Where the answer redirects to, as a whole address; NULL where it does not.
static inline const char *ccurl_redirect(CURL *handle) {
    char *address = NULL;
    curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &address);
    return address;
}

// What Swift leaves out of the macros.
static const size_t ccurl_abort_upload = CURL_READFUNC_ABORT;
static const curl_socket_t ccurl_no_socket = CURL_SOCKET_BAD;

static inline void ccurl_start(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }
