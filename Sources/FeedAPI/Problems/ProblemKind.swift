/// The kinds of problems that error responses report (RFC 9457; docs/PROTOCOL.md, "Errors").
///
/// A raw value is the last segment of the problem's `type`, which clients compare, so it must not
/// change.
enum ProblemKind: String, CaseIterable {
    case malformed
    case duplicateID = "duplicate-id"
    case key
    case notFound = "not-found"
    case method
    case timeout
    case editFailed = "edit-failed"
    case conflict
    case tooManyRemoved = "too-many-removed"
    case noSource = "no-source"
    case versionForgotten = "version-forgotten"
    case precondition
    case range
    case limit
    case mediaType = "media-type"
    case contentCoding = "content-coding"
    case invalidResult = "invalid-result"
    case idempotencyKey = "idempotency-key"
    case notImplemented = "not-implemented"
    case httpVersion = "http-version"
    case expectation
    case sourceFailed = "source-failed"
    case notReady = "not-ready"
    case quotaExceeded = "quota-exceeded"
    case overloaded
    case memory
    case misdirected
    case mirror
    case outcomeUnknown = "outcome-unknown"
    case behind
    case notKept = "not-kept"
}

extension ProblemKind {
    /// The problem's `title`, a line of text (RFC 9457 §3.1.3).
    var title: String { text.title }

    /// The meaning of the problem and the remedy, for the page at the problem's `type`.
    var explanation: String { text.explanation }

    private var text: (title: String, explanation: String) {
        switch self {
        case .malformed:
            (
                "Malformed request",
                """
                Something in the request is not of the form that the protocol asks for: the JSON \
                of the body, a query parameter, a header field or a name in the path. The detail \
                names the place. The same request will fail again.
                """
            )
        case .duplicateID:
            (
                "An id is used twice",
                """
                The ids of a feed's sections differ from each other, and so do the ids of all its \
                items, whatever their section. The detail names both places.
                """
            )
        case .key:
            (
                "A key is needed",
                """
                With 401 the request had no key where one is needed, or one that the server does \
                not know: send Authorization: Bearer KEY. With 403 the key is known, and what it \
                may do does not include this.
                """
            )
        case .notFound:
            (
                "Not found",
                """
                There is nothing at this address: no such path, no such feed, no such section or \
                item. A feed that the key may not read looks the same.
                """
            )
        case .method:
            (
                "Method not allowed",
                "The address exists and does not take this method. Allow says which it takes."
            )
        case .timeout:
            (
                "The request took too long",
                "The request did not arrive whole in time. It may be sent again."
            )
        case .editFailed:
            (
                "An edit did not apply",
                """
                An edit, or an operation of a JSON Patch, names something that is not there, or \
                inserts what is there already. Nothing of the request was applied. The member edit \
                is its number, from 0. Read the feed again and make the edits anew.
                """
            )
        case .conflict:
            (
                "The state of the feed does not allow it",
                """
                The item that was to be inserted is there already, or the place for it is not. \
                Nothing was changed. Read the feed again.
                """
            )
        case .tooManyRemoved:
            (
                "Too many items would be removed",
                """
                The operator guards this feed against accidents: a publish may not remove that \
                many of its items at once. Nothing was changed. The member removed is how many \
                items would have gone, count how many there are, and limit how many may go. If \
                this is meant, send the request again with ?removals=any.
                """
            )
        case .noSource:
            (
                "No source",
                """
                The feed has no source in the server's configuration that could be asked for new \
                content: it changes when somebody publishes.
                """
            )
        case .versionForgotten:
            (
                "The version is forgotten",
                """
                The server remembers a limited number of versions, and the one that was asked for \
                is not among them, or never was. Start again from the current one (Link, \
                rel="first").
                """
            )
        case .precondition:
            (
                "A condition did not hold",
                """
                If-Match, If-None-Match or If-Unmodified-Since did not hold: most likely somebody \
                else published since. The member token names the feed's current version. Read it, \
                make the change anew, and send that version in If-Match.
                """
            )
        case .range:
            (
                "No such part",
                """
                The Range asks for parts of a file of which none lies inside it. Content-Range \
                in the answer says how long the file is.
                """
            )
        case .limit:
            (
                "Too large",
                "Something is larger than this server takes. The detail says what, and the limit."
            )
        case .mediaType:
            (
                "Media type not supported",
                """
                The body is of a media type that this address does not take. Accept or \
                Accept-Patch in the answer says which it takes.
                """
            )
        case .contentCoding:
            (
                "Content coding not supported",
                "Bodies may come as they are or with Content-Encoding: gzip."
            )
        case .invalidResult:
            (
                "The result would not be a feed",
                """
                The patch can be applied, but what comes of it would be refused as the body of a \
                PUT. The detail says why. Nothing was changed.
                """
            )
        case .idempotencyKey:
            (
                "The idempotency key was used for something else",
                """
                This Idempotency-Key was sent before, to the same address with the same method, \
                with another body or media type. Use a new key for every new request.
                """
            )
        case .notImplemented:
            (
                "Not implemented",
                "The server does not know the method or the transfer coding of the request."
            )
        case .httpVersion:
            (
                "HTTP version not supported",
                "The server speaks HTTP/1.1 and takes requests in HTTP/1.0."
            )
        case .expectation:
            (
                "An expectation cannot be met",
                "The request has an Expect field with something else than 100-continue."
            )
        case .sourceFailed:
            (
                "The source failed",
                """
                The feed's source could not be fetched or read. The feed is as it was. The detail \
                has the reason.
                """
            )
        case .overloaded:
            (
                "Too much at once",
                """
                The server has as many connections, or as much work, as it can take, and has done \
                nothing of what was asked. The detail says which. Send the request again after \
                the time in Retry-After.
                """
            )
        case .memory:
            (
                "The server's memory is full",
                """
                The feeds take as much memory as they may, and this publish would make them \
                larger. Nothing was changed, and reading goes on. Publish less, delete feeds, or \
                have the operator give the server more. Publishes that make a feed smaller are \
                still taken.
                """
            )
        case .notKept:
            (
                "The publish cannot be kept",
                """
                The server keeps what is published, and cannot do so at the moment: its disk is \
                full or has failed. Nothing was done, and reading goes on. Send the request again \
                after the time in Retry-After.
                """
            )
        case .outcomeUnknown:
            (
                "Nobody knows yet what became of it",
                """
                The server could not learn whether this publish was kept: the disk or the database \
                failed in the act. Its version may come to be or not, never with other content and \
                never after a later one. Until the server knows, publishes to the feed get 503, \
                and readers get the version before. Send the request again with the same \
                Idempotency-Key, which then is safe, or read the feed and see.
                """
            )
        case .behind:
            (
                "This server is behind",
                """
                The request names a version that this server has not seen, and the server that it \
                follows did not answer in time. It does not answer with less than the client has \
                seen. Send the request again after the time in Retry-After, to this server or to \
                another.
                """
            )
        case .misdirected:
            (
                "The server does not answer to this name",
                """
                This server is for trying out, and only for this machine: it answers to localhost \
                and loopback addresses. Whoever runs it can add names: --allow-host NAME.
                """
            )
        case .mirror:
            (
                "This server only mirrors another",
                """
                Feeds are published at the server that this one follows, which has them here at \
                once. Nothing was done. Send the request there.
                """
            )
        case .quotaExceeded:
            (
                "Too many requests",
                """
                The operator limits how many requests a key, or an address without one, may send \
                in a time. RateLimit-Policy says how many, RateLimit what is left. Send the \
                request again after the time in Retry-After. Waiting (Prefer: wait) or a stream \
                takes fewer requests than polling.
                """
            )
        case .notReady:
            (
                "Not ready",
                "The server is loading its feeds. Try again after the time in Retry-After."
            )
        }
    }
}
