import FeedFormats
import HTTPClient
import HTTPTypes
import HTTPWire

/// A fetch of a source over HTTP, as a value: responses go in, the next step comes out.
struct SourceFetch {
    /// The next step of a fetch after a response.
    enum Step {
        /// Another request is to be sent, to where the source redirects.
        case follow(HTTPClient.Request)
        /// The source is the same as before.
        case unchanged
        /// A document has come, in the codings of its response (``document(_:_:)``).
        case received(HTTPClient.Response)
        case failed(SourceFailure)
    }

    /// The bytes of a document without their codings, with their digest.
    struct Content {
        let bytes: [UInt8]
        let digest: String

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            digest = EntryID.digest(bytes)
        }

        /// Undoes the codings of a response, which takes a while, up to a limit of bytes.
        init(decoding response: HTTPClient.Response, limit: Int) throws(SourceFailure) {
            do throws(HTTPClientError) {
                self.init(try ContentCoding.content(of: response, limit: limit))
            } catch {
                throw .transport(error)
            }
        }
    }

    /// A document, with the properties that its response gives it.
    struct Document {
        var content: Content
        /// The address of the document after all redirects.
        var address: String
        var charset: String?
        var isPage: Bool
        /// The time for which the document counts as fresh, in seconds.
        var freshness: Int?
        var lastModified: Int?
        var links: LinkFields?
    }

    /// The longest time of a fetch, redirects included.
    static let wholeTime = Duration.seconds(60)
    /// The most redirects.
    static let hopLimit = 10
    /// The days for which a permanent redirect must have been seen before the source counts as
    /// moved.
    static let trustDays = 3
    /// The days after which validators are not sent any more: some servers say "not modified" for
    /// ever.
    static let validatorDays = 8

    private(set) var state: SourceState
    /// The seconds for which the host of the last response wants no other request.
    private(set) var rest = 0
    private let settings: SourceSettings
    private let now: Int
    private var address: String
    private let origin: String
    /// Whether the fetch began at the configured address, and not where it has moved.
    private let isAtOrigin: Bool
    private var hops = 0
    private var cookies = FetchCookies()
    /// The addresses that were asked, each with the cookies that were sent there.
    private var asked: Set<[String?]> = []
    private var start = ContinuousClock.now
    private var isPermanent = true
    private var permanentTarget: String?

    init(_ settings: SourceSettings, _ state: SourceState, now: Int) {
        self.settings = settings
        self.state = state
        self.now = now
        origin = state.address
        let isTrusted =
            state.movedTo != nil
            && now - state.movedSince >= SourceFetch.trustDays * 86_400
        // After a failure at the new address, the configured one has its turn: it may lead
        // elsewhere by now.
        let triesNewAddress = state.ownFailureCount & 1 == 0
        address = isTrusted && triesNewAddress ? state.movedTo ?? state.address : state.address
        isAtOrigin = address == origin
    }

    /// Continues the fetch after a wait for its host, which does not count towards ``wholeTime``.
    mutating func resume(after wait: Duration) { start += wait }

    /// Records that the host wants no requests before a time, in seconds since 1970.
    mutating func pause(until time: Int) { state.pausedUntil = time }

    /// Returns the first request.
    mutating func begin() -> HTTPClient.Request {
        asked = [[address, nil]]
        return request()
    }

    private func request() -> HTTPClient.Request {
        var fields = HTTPFields()
        let isOwn = URLHost.isSameOrigin(address, origin)
        for field in settings.fields where isOwn || !SourceFetch.isSecret(field.name) {
            fields.append(field)
        }
        if fields[.accept] == nil { fields[.accept] = SourceFetch.accepted }
        if sendsValidators {
            // A configured validator is of another document than the state's.
            if let tag = state.eTag {
                fields[.ifNoneMatch] = nil
                fields.append(HTTPField(name: .ifNoneMatch, lenientValue: tag))
            }
            if let date = state.lastModified {
                fields[.ifModifiedSince] = nil
                fields.append(HTTPField(name: .ifModifiedSince, lenientValue: date))
            }
        }
        if let sent = cookies.field(for: address) {
            // All cookies go into a single field: set by its name, HTTPFields would split it.
            let all = [fields[.cookie], sent].compactMap(\.self).joined(separator: "; ")
            fields[.cookie] = nil
            fields.append(HTTPField(name: .cookie, value: all))
        }
        if fields[.acceptEncoding] == nil { fields[.acceptEncoding] = ContentCoding.accepted }
        var request = HTTPClient.Request(.get, address, fields: fields)
        request.decodesBody = false
        request.authorities = settings.authorities
        request.limits.bodyByteCount = settings.byteLimit
        // All redirects of a fetch share one time limit.
        request.limits.whole = max(.seconds(1), SourceFetch.wholeTime - (.now - start))
        request.allowsAnyAddress = settings.allowsPrivate(address)
        request.proxy = settings.proxy
        return request
    }

    /// Whether requests have the validators of the last document, if it had any.
    private var sendsValidators: Bool {
        now - state.validatorsSince < SourceFetch.validatorDays * 86_400
    }

    /// The value of `Accept`, unless the operator has configured one.
    private static let accepted =
        "application/atom+xml, application/rss+xml, application/feed+json;q=0.9,"
        + " application/json;q=0.8, application/xml;q=0.7, text/xml;q=0.7, */*;q=0.1"

    private static func isSecret(_ name: HTTPField.Name) -> Bool {
        // Any field that the operator has configured may hold a key, under any name.
        ![.accept, .acceptLanguage, .userAgent].contains(name)
    }

    mutating func take(_ result: Result<HTTPClient.Response, HTTPClientError>) -> Step {
        switch result {
        case .failure(let error): return .failed(.transport(error))
        case .success(let response):
            rest = RequestAllowance.rest(response.fields, now: now) ?? 0
            // A source is gone for good only if every response is `410`; a redirect may lead to
            // one.
            let isRedirect = [301, 302, 303, 307, 308].contains(response.status)
            if response.status != 410, !isRedirect { state.goneSince = 0 }
            return take(response)
        }
    }

    private mutating func take(_ response: HTTPClient.Response) -> Step {
        switch response.status {
        case 301, 302, 303, 307, 308: return redirect(response)
        case 304:
            guard sendsValidators, state.eTag != nil || state.lastModified != nil else {
                return .failed(.status(304, "it says “not modified” though it was not asked"))
            }
            takeValidators(response, isNew: false)
            state.asked = SourceFetch.freshness(response) ?? state.asked
            succeeded()
            return .unchanged
        case 200...299: return .received(response)
        case 410:
            if state.goneSince == 0 { state.goneSince = now }
            return .failed(.status(410, "it is gone for good"))
        case 429, 503:
            let usual =
                response.status == 429 ? SourceSchedule.refusalPause : SourceSchedule.pause
            let pause =
                SourceFetch.retryAfter(response, now: now) ?? (rest > 0 ? rest : usual)
            state.pausedUntil = now + min(max(pause, 1), SourceSchedule.pauseCeiling)
            return .failed(.paused(response.status, seconds: state.pausedUntil - now))
        default:
            let isChallenge =
                HTTPField.Name("cf-mitigated").map { response.fields[$0] == "challenge" } ?? false
            let words = isChallenge ? "it asks whether a human reads" : "there is no document"
            return .failed(.status(response.status, words))
        }
    }

    private mutating func redirect(_ response: HTTPClient.Response) -> Step {
        let locations = SourceFetch.locations(response)
        guard let location = locations.first else {
            return .failed(.status(response.status, "it redirects to nowhere"))
        }
        guard locations.count == 1 else {
            return .failed(.redirect("it redirects to several addresses at once"))
        }
        hops += 1
        guard hops <= SourceFetch.hopLimit else {
            return .failed(.redirect("it redirects more than \(SourceFetch.hopLimit) times"))
        }
        let target = WebAddress.normalized(WebAddress.resolve(location, base: address))
        guard WebAddress.isWeb(target) else {
            return .failed(.redirect("it redirects to what is no web address"))
        }
        let wasSecure = WebAddress.scheme(of: address) == "https"
        if wasSecure, WebAddress.scheme(of: target) == "http", !settings.allowsDowngrade {
            return .failed(.redirect("it redirects from https to http"))
        }
        // Only a chain of permanent redirects from its start says that the source has moved.
        if response.status != 301, response.status != 308 { isPermanent = false }
        if isPermanent { permanentTarget = target }
        cookies.take(response.fields, from: address, now: now)
        address = target
        // The redirect is a circle, unless the cookies have changed: then it may lead out.
        guard asked.insert([address, cookies.field(for: address)]).inserted else {
            return .failed(.redirect("it redirects in a circle"))
        }
        return .follow(request())
    }

    /// Makes the document of a response that was ``Step/received(_:)``, and takes note of its
    /// validators.
    mutating func document(_ response: HTTPClient.Response, _ content: Content) -> Document {
        takeValidators(response, isNew: true)
        succeeded()
        let type = response.fields[.contentType] ?? ""
        return Document(
            content: content,
            address: WebAddress.withoutUserInfo(address),
            charset: SourceFetch.charset(type),
            isPage: type.lowercased().hasPrefix("text/html"),
            freshness: SourceFetch.freshness(response),
            lastModified: SourceFetch.date(response, .lastModified),
            links: LinkFields(response.fields, address: WebAddress.withoutUserInfo(address))
        )
    }

    /// Records whether the source has moved, after a response that was a document or “not
    /// modified”.
    private mutating func succeeded() {
        if let target = permanentTarget, target == address {
            if state.movedTo != target { (state.movedTo, state.movedSince) = (target, now) }
        } else if isAtOrigin, permanentTarget != state.movedTo {
            // The configured address does not lead to the old target any more.
            (state.movedTo, state.movedSince) = (nil, 0)
        }
    }

    /// Keeps a response's validators byte for byte; they come with `304`, too (RFC 9111 §4.3.4).
    private mutating func takeValidators(_ response: HTTPClient.Response, isNew: Bool) {
        let tag = SourceFetch.bytes(response, .eTag)
        let date = SourceFetch.bytes(response, .lastModified)
        // Some servers send "0" to say that their validators are not to be believed.
        let isVoid = response.fields[.expires] == "0" && isNew
        if isNew {
            if state.eTag != tag || state.lastModified != date
                || now - state.validatorsSince
                    >= SourceFetch.validatorDays * 86_400
            {
                state.validatorsSince = now
            }
            state.eTag = isVoid ? nil : tag
            state.lastModified = isVoid ? nil : date
        } else {
            if let tag { state.eTag = tag }
            if let date { state.lastModified = date }
        }
    }
}

extension SourceFetch.Document {
    /// Makes the document of a file's bytes.
    init(file bytes: [UInt8]) {
        self.init(content: SourceFetch.Content(bytes), address: "", isPage: false)
    }

    /// Reads the document, which takes a while.
    func read(by settings: SourceSettings) throws(SourceFailure) -> SourceFeed {
        do throws(FeedFormatError) {
            return try FeedReader(settings, address: address, charset: charset).read(content.bytes)
        } catch {
            throw .format(error)
        }
    }
}

/// Fields of responses.
extension SourceFetch {
    private static func bytes(_ response: HTTPClient.Response, _ name: HTTPField.Name) -> [UInt8]? {
        response.fields.first { $0.name == name }.map { $0.withUnsafeBytesOfValue { Array($0) } }
            .flatMap { $0.isEmpty || $0.count > 1000 ? nil : $0 }
    }

    /// Returns the address that a response redirects to; `nil`: it names none, or no address of the
    /// web.
    static func location(_ response: HTTPClient.Response, from address: String) -> String? {
        locations(response).first
            .map { WebAddress.normalized(WebAddress.resolve($0, base: address)) }
            .flatMap(WebAddress.web)
    }

    /// Returns the values of the `Location` fields, each once: some servers send the field twice.
    private static func locations(_ response: HTTPClient.Response) -> [String] {
        var found: [String] = []
        for field in response.fields where field.name == .location {
            let bytes = field.withUnsafeBytesOfValue { Array($0) }
            // Bytes that are not UTF-8 are sent back as they came.
            let text =
                String(validating: bytes, as: UTF8.self)
                ?? WebAddress.requested(bytes: bytes)
            if let text = text.nonempty, !found.contains(text) { found.append(text) }
        }
        return found
    }

    private static func date(_ response: HTTPClient.Response, _ name: HTTPField.Name) -> Int? {
        response.fields[name].flatMap { FeedDate(parsing: $0) }.map { $0.milliseconds / 1000 }
    }

    static func charset(_ type: String) -> String? {
        guard let start = type.lowercased().firstRange(of: "charset=") else { return nil }
        let offset = type.lowercased().distance(
            from: type.lowercased().startIndex,
            to: start.upperBound
        )
        return type.dropFirst(offset).prefix { $0 != ";" }.filter { $0 != "\"" && $0 != "'" }
            .nonempty
    }

    /// The longest time that a field can state, in seconds: a year.
    private static let timeLimit = 86_400 * 365

    /// Returns how long a document counts as fresh (RFC 9111 §4.2.1), in seconds; `nil`: for no
    /// time.
    ///
    /// The first `max-age` has precedence over `Expires`, even one of 0 or one that is no number.
    static func freshness(_ response: HTTPClient.Response) -> Int? {
        for part in (response.fields[.cacheControl] ?? "").split(separator: ",") {
            let pair = part.filter { $0 != " " }.lowercased().split(separator: "=")
            guard pair.first == "max-age" else { continue }
            let seconds = pair.count == 2 ? pair[1].utf8.span.wholeNumber ?? 0 : 0
            return seconds > 0 ? min(seconds, timeLimit) : nil
        }
        guard let expires = date(response, .expires), let date = date(response, .date),
            expires > date
        else { return nil }
        return expires - date
    }

    /// Returns the seconds that `Retry-After` asks to wait, given as seconds or a date (RFC 9110
    /// §10.2.3).
    static func retryAfter(_ response: HTTPClient.Response, now: Int) -> Int? {
        guard let text = response.fields[.retryAfter]?.nonempty else { return nil }
        if let seconds = text.utf8.span.wholeNumber { return min(seconds, timeLimit) }
        return date(response, .retryAfter).map { max(0, $0 - now) }
    }
}
