package import HTTPTypes

extension HTTPClient {
    /// What to ask for.
    package struct Request: Sendable {
        package var method: HTTPRequest.Method

        /// The address, with `http` or `https`.
        package var url: String

        /// Fields of the head; Host, Content-Length and Accept-Encoding are made.
        package var fields: HTTPFields

        /// The body; `nil`: none.
        package var body: [UInt8]?

        package var limits = Limits()

        /// Whether nothing is added that was not asked for: no Accept, and no Accept-Encoding, so
        /// that what comes is decompressed only if `fields` has it; the path is sent as it stands.
        package var isBare = false

        /// Whether the body comes as it was sent, in its content codings; `fields` then say which of
        /// them are accepted.
        package var isRaw = false

        /// A file of certificates in PEM that this request trusts, in place of
        /// ``Settings/authorities``.
        package var authorities: String?

        /// Whether it may connect to where ``Settings/allows`` would not let it.
        ///
        /// Its connection is used for nothing else.
        package var allowsAnyAddress = false

        /// The address of a proxy for this request, in place of ``Settings/proxy``.
        package var proxy: String?

        package init(
            _ method: HTTPRequest.Method = .get,
            _ url: String,
            fields: HTTPFields = [:],
            body: [UInt8]? = nil
        ) {
            self.method = method
            self.url = url
            self.fields = fields
            self.body = body
        }
    }

    /// What a request may cost.
    package struct Limits: Sendable {
        /// For a connection, TLS included.
        package var connecting = Duration.seconds(15)

        /// For everything, from the start to the last byte; `nil`: no end.
        package var whole: Duration? = .seconds(60)

        /// For which less than a byte a second may come, in whole seconds, rounded up; `nil`: no
        /// end.
        ///
        /// It does not count while the receiver has paused.
        package var stalled: Duration? = .seconds(20)

        /// For which nothing at all may come of the body, in place of ``stalled``: of a stream that
        /// says a byte or two now and then. `nil`: ``stalled`` holds.
        ///
        /// It does not count while the receiver has paused.
        package var silent: Duration?

        /// Bytes of the body, decompressed.
        package var bodyByteCount = 10 << 20

        /// Bytes of the head.
        package static let headByteCount = 64 << 10

        package init() {}
    }
}
