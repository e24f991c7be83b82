# Varnish before Freshet, as a cache (Varnish 6 or newer). Start it with -p http_gzip_support=off, so
# that what the server compresses keeps its own tag.
#
# Only feeds with a "maxAge" member are answered from the cache, for so many seconds. Nothing that
# depends on a key is stored.
vcl 4.1;

backend freshet {
    .host = "127.0.0.1";
    .port = "8080";
    # Longer than a wait, and than the silence of a stream.
    .first_byte_timeout = 75s;
    .between_bytes_timeout = 75s;
}

sub vcl_recv {
    # For --trusted-proxies. What a client claims of itself is not passed on.
    set req.http.X-Forwarded-For = client.ip;
    unset req.http.Forwarded;
    if (req.method == "OPTIONS") {
        return (pass);
    }
    # Publishes, and all else that is not safe, each on a connection of its own. On one that has been
    # used before, Varnish would send again what the server dropped and may have carried out.
    if (req.method != "GET" && req.method != "HEAD") {
        return (pipe);
    }
    # The server has no parts of feeds, and Varnish fails over several parts of a file.
    if (req.url ~ "^/(feeds|pull)([/?]|$)" || req.http.Range ~ ",") {
        unset req.http.Range;
    }
    # A key makes an answer one client's own, a wait is nobody else's, and a stream does not end.
    if (req.http.Authorization || req.http.Prefer || req.url ~ "[?&]wait=" ||
        req.url ~ "^/(events|feeds/[^/?]+/events)(\?|$)") {
        return (pass);
    }
    # Conditions that Varnish does not evaluate, or not as the server does.
    if (req.http.If-Match || req.http.If-Unmodified-Since || req.http.If-None-Match ~ "[,*]") {
        return (pass);
    }
    # A tag of another coding than the one that is sent is compared by the server, which knows what the client takes.
    if (req.http.If-None-Match ~ {"[-;][a-z]+""} &&
        (req.http.If-None-Match !~ {"-gzip""} || req.http.Accept-Encoding !~ "(?i)gzip" ||
        req.http.Accept-Encoding ~ "(?i)gzip[ \t]*;[ \t]*q=0(\.0*)?[ \t]*(,|$)")) {
        return (pass);
    }
    # The server knows two codings; there need not be more variants.
    if (req.http.Accept-Encoding ~ "(?i)gzip" &&
        req.http.Accept-Encoding !~ "(?i)gzip[ \t]*;[ \t]*q=0(\.0*)?[ \t]*(,|$)") {
        set req.http.Accept-Encoding = "gzip";
    } else {
        unset req.http.Accept-Encoding;
    }
    return (hash);
}

sub vcl_pipe {
    # The next request of this client begins anew.
    set bereq.http.Connection = "close";
}

sub vcl_backend_response {
    # A version is served for "maxAge" and no longer; after that it is asked for with its tag.
    set beresp.grace = 0s;
    set beresp.keep = 10m;
    if (beresp.http.Cache-Control ~ "(?i)no-cache|no-store|private") {
        # Others that ask for the same need not wait for this one.
        return (pass(60s));
    }
    set beresp.do_stream = true;
}

sub vcl_deliver {
    # Of what has no date, Varnish would compare the time when it was fetched.
    if (!resp.http.Last-Modified) {
        unset req.http.If-Modified-Since;
    }
    if (req.url ~ "^/(feeds|pull)([/?]|$)") {
        set resp.http.Accept-Ranges = "none";
    }
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
}
