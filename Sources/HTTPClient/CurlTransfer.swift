import CCurl
import Glibc
import HTTPTypes
import Platform

/// A request and its response, on the client's thread alone.
final class CurlTransfer {
    let easy: UnsafeMutableRawPointer
    let response: StreamedResponse

    private let request: HTTPClient.Request
    private let allows: ((IPAddress) -> Bool)?
    /// The address in the URL of a request through a proxy, if it is not allowed.
    private let refused: IPAddress?
    private var lines: UnsafeMutablePointer<curl_slist>?
    private let words: UnsafeMutablePointer<CChar>
    private var head = ResponseHeadReader()
    private var bodyByteCount = 0
    private var refusal: HTTPClientError?
    /// The time at which bytes of the body last came, or the wait for them began; `nil`: silence
    /// does not count now.
    private var heard: ContinuousClock.Instant?

    /// Prepares the transfer of a request; `nil`: there is no memory.
    init?(
        _ id: UInt64,
        _ request: HTTPClient.Request,
        for response: StreamedResponse,
        _ settings: HTTPClient.Settings
    ) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.request = request
        self.response = response
        let host = URLHost.host(of: request.url)
        let proxy = request.proxy ?? settings.proxy
        // Through a proxy the address is the proxy's, which the operator chose.
        let isChecked = !request.allowsAnyAddress
        allows = isChecked && proxy == nil ? { settings.allows(host, $0) } : nil
        let named = proxy == nil || !isChecked ? nil : IPAddress(named: host)
        refused = named.flatMap { settings.allows(host, $0) ? nil : $0 }
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        freshet_curl_setPointer(
            easy,
            CURLOPT_PRIVATE,
            UnsafeMutableRawPointer(bitPattern: UInt(id))
        )
        freshet_curl_setPointer(easy, CURLOPT_ERRORBUFFER, words)
        setConnection(settings)
        setRequest(settings)
        setLimits()
        setCallbacks()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(lines)
        words.deallocate()
    }

    private func setConnection(_ settings: HTTPClient.Settings) {
        freshet_curl_allowWebOnly(easy)
        freshet_curl_set(easy, CURLOPT_NOSIGNAL, 1)
        freshet_curl_set(easy, CURLOPT_FOLLOWLOCATION, 0)
        // An address is not checked again when its connection is reused.
        if request.allowsAnyAddress { freshet_curl_set(easy, CURLOPT_FORBID_REUSE, 1) }
        if refused != nil { freshet_curl_set(easy, CURLOPT_FRESH_CONNECT, 1) }
        freshet_curl_set(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        freshet_curl_set(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // An empty proxy means none; without one set, libcurl would take the environment's.
        freshet_curl_setText(easy, CURLOPT_PROXY, request.proxy ?? settings.proxy ?? "")
        freshet_curl_set(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let file = request.authorities ?? settings.authorities {
            freshet_curl_setText(easy, CURLOPT_CAINFO, file)
            freshet_curl_setPointer(easy, CURLOPT_CAPATH, nil)
        }
        if !settings.verifiesServers {
            freshet_curl_set(easy, CURLOPT_SSL_VERIFYPEER, 0)
            freshet_curl_set(easy, CURLOPT_SSL_VERIFYHOST, 0)
        }
    }

    private func setRequest(_ settings: HTTPClient.Settings) {
        freshet_curl_setText(easy, CURLOPT_URL, request.url)
        // This sends Accept-Encoding, unless it is among the fields, and turns decoding on.
        let hasCodings = request.addsDefaultFields || request.fields[.acceptEncoding] != nil
        if request.decodesBody, hasCodings {
            freshet_curl_setText(easy, CURLOPT_ACCEPT_ENCODING, "")
        }
        if !request.addsDefaultFields { freshet_curl_set(easy, CURLOPT_PATH_AS_IS, 1) }
        freshet_curl_setText(easy, CURLOPT_USERAGENT, settings.userAgent)
        if let body = request.body {
            body.withUnsafeBytes { bytes in
                // Without an address, the body would be read from standard input.
                var nothing: UInt8 = 0
                withUnsafePointer(to: &nothing) {
                    _ = freshet_curl_setBody(
                        easy,
                        bytes.baseAddress ?? UnsafeRawPointer($0),
                        bytes.count
                    )
                }
            }
        }
        switch (request.method, request.body) {
        case (.get, nil): freshet_curl_set(easy, CURLOPT_HTTPGET, 1)
        case (.head, nil): freshet_curl_set(easy, CURLOPT_NOBODY, 1)
        default: freshet_curl_setText(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
        // These lines remove libcurl's own additions.
        if request.body != nil, request.fields[.contentType] == nil { add("Content-Type:") }
        if request.fields[.expect] == nil { add("Expect:") }
        if !request.addsDefaultFields, request.fields[.accept] == nil { add("Accept:") }
        for field in request.fields { add(field) }
        freshet_curl_setPointer(easy, CURLOPT_HTTPHEADER, lines)
    }

    private func add(_ field: HTTPField) {
        let name = field.name.rawName
        let bytes = field.withUnsafeBytesOfValue { Array($0) }
        // A field without a value ends with a semicolon (CURLOPT_HTTPHEADER(3)).
        add(bytes.isEmpty ? Array("\(name);".utf8) : Array("\(name): ".utf8) + bytes)
    }

    private func add(_ line: String) { add(Array(line.utf8)) }

    private func add(_ line: [UInt8]) {
        (line + [0]).withUnsafeBytes {
            let text = $0.assumingMemoryBound(to: CChar.self)
            if let longer = curl_slist_append(lines, text.baseAddress) { lines = longer }
        }
    }

    private func setLimits() {
        let limits = request.limits
        freshet_curl_set(easy, CURLOPT_CONNECTTIMEOUT_MS, limits.connecting.milliseconds)
        freshet_curl_set(easy, CURLOPT_TIMEOUT_MS, limits.whole?.milliseconds ?? 0)
        guard let stalled = limits.stalled else { return }
        freshet_curl_set(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        freshet_curl_set(easy, CURLOPT_LOW_SPEED_TIME, (stalled.milliseconds + 999) / 1000)
    }
}

/// Answers the callbacks of libcurl.
extension CurlTransfer {
    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        freshet_curl_setReceivers(
            easy,
            { bytes, size, count, context in
                CurlTransfer.at(context).takeHead(
                    UnsafeRawBufferPointer(start: bytes, count: size * count)
                )
            },
            { bytes, size, count, context in
                CurlTransfer.at(context).takeBody(
                    UnsafeRawBufferPointer(start: bytes, count: size * count)
                )
            },
            context
        )
        freshet_curl_setOpening(
            easy,
            { context, _, address in
                guard let address else { return freshet_curl_noSocket }
                return CurlTransfer.at(context).open(address)
            },
            context
        )
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        guard let context else { preconditionFailure("libcurl passes what it was given") }
        return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if let refused {
            refusal = .refusedAddress(refused)
            return freshet_curl_noSocket
        }
        if let allows {
            guard let raw = freshet_curl_address(address),
                let target = IPAddress(raw, family: address.pointee.family)
            else { return freshet_curl_noSocket }
            guard allows(target) else {
                refusal = .refusedAddress(target)
                return freshet_curl_noSocket
            }
        }
        let value = address.pointee
        return socket(value.family, value.socktype | CInt(SOCK_CLOEXEC.rawValue), value.protocol)
    }

    private func takeHead(_ line: UnsafeRawBufferPointer) -> Int {
        switch head.read(line) {
        case .more: return line.count
        case .whole(let head):
            // Streams send a byte or two now and then, which libcurl would count as too slow.
            freshet_curl_set(easy, CURLOPT_LOW_SPEED_TIME, 0)
            heard = .now
            response.receive(head)
        case .tooLarge:
            refusal = .headTooLarge
            return freshet_curl_abort
        }
        return line.count
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard bytes.count <= request.limits.bodyByteCount - bodyByteCount else {
            refusal = .bodyTooLarge(limit: request.limits.bodyByteCount)
            return freshet_curl_abort
        }
        guard response.receive(bytes.bytes) else {
            heard = nil
            return freshet_curl_pause
        }
        bodyByteCount += bytes.count
        heard = .now
        return bytes.count
    }

    /// Resumes the transfer after a pause.
    func resume() {
        heard = .now
        curl_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// The longest silence in the body.
    var silent: Duration? { request.limits.stalled }

    /// The time at which the silence is too long, unless bytes come; `nil`: silence does not count,
    /// or not yet.
    var silenceEnd: ContinuousClock.Instant? {
        guard let heard, let silent else { return nil }
        return heard + silent
    }

    /// libcurl's `CURLE_TOO_LARGE`, which older headers do not have.
    private static let tooLarge = CURLcode(rawValue: 100)

    /// Returns the error that the end of the transfer means; `nil`: it was a success.
    func error(_ code: CURLcode) -> HTTPClientError? {
        if code == CURLE_OK { return nil }
        switch refusal {
        case .refusedAddress?: if code == CURLE_COULDNT_CONNECT { return refusal }
        case let refusal?: return refusal
        case nil: break
        }
        var said = String(
            decoding: UnsafeBufferPointer(start: words, count: Int(CURL_ERROR_SIZE))
                .prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
        if said.isEmpty { said = String(cString: curl_easy_strerror(code)) }
        switch code {
        case CURLE_URL_MALFORMAT: return .invalidURL(said)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
            return .unreachable(said)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(said)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER:
            return .tls(said)
        // Before version 8.6, libcurl says the same of a line of the head that is too long for it.
        case CURLE_OUT_OF_MEMORY: return head.isOpen ? .headTooLarge : .unavailable
        case CurlTransfer.tooLarge where head.isOpen: return .headTooLarge
        default: return .broken(said)
        }
    }
}

extension Duration {
    /// The duration in milliseconds, at least 1: libcurl takes 0 for "no end".
    fileprivate var milliseconds: Int {
        let (seconds, attoseconds) = components
        return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
