package import HTTPTypes

extension HTTPClient {
    /// A request to send.
    package struct Request: Sendable {
        package var method: HTTPRequest.Method

        /// The address, with `http` or `https`.
        package var url: String

        /// The fields of the head; Host, Content-Length and Accept-Encoding are added.
        package var fields: HTTPFields

        /// The body; `nil`: none.
        package var body: [UInt8]?

        package var limits = Limits()

        /// Whether Accept and Accept-Encoding are added. Otherwise the body is decompressed only if
        /// `fields` has Accept-Encoding, and the path is sent as it stands.
        package var addsDefaultFields = true

        /// Whether the body is decompressed. Otherwise it is passed on in its content codings, and
        /// `fields` say which codings are accepted.
        package var decodesBody = true

        /// A file of certificates in PEM that this request trusts, in place of
        /// ``Settings/authorities``.
        package var authorities: String?

        /// Whether the request may connect to addresses that ``Settings/allows`` refuses.
        ///
        /// Such a request's connection is not used for other requests.
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

    /// The limits of a request's time and size.
    package struct Limits: Sendable {
        /// The longest time to connect, TLS included.
        package var connecting = Duration.seconds(15)

        /// The longest time of the whole request, from the start to the last byte; `nil`: no end.
        package var whole: Duration? = .seconds(60)

        /// The longest time without any byte, before the head in whole seconds, rounded up; `nil`:
        /// no end.
        ///
        /// The time does not count while the receiver has paused.
        package var stalled: Duration? = .seconds(20)

        /// The most bytes of the body, decompressed.
        package var bodyByteCount = 10 << 20

        /// The most bytes of the head.
        package static let headByteCount = 64 << 10

        package init() {}
    }
}
