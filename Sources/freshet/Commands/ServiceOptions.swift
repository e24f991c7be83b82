import ArgumentParser
import FeedClient
import FeedFormats
import FeedModel
import Foundation
import HTTPClient
import TerminalReader

/// The options for the server that a command asks, and for its key.
struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server (default: http://127.0.0.1:8080; FRESHET_SERVER).",
            valueName: "url"
        )
    )
    var server: String?

    @Option(help: "The key to read or write with (FRESHET_KEY, the first of several).")
    var key: String?

    @OptionGroup var trust: TrustOptions

    /// Returns the client of the server that the options name.
    ///
    /// - Throws: ``CommandFailure`` when the server's address is no address of HTTP, or the key
    ///   cannot be sent.
    func service(_ environment: Environment) throws(CommandFailure) -> FeedService {
        let url = try ServiceOptions.address(
            server ?? environment.value("server") ?? "http://127.0.0.1:8080"
        )
        let key = try environment.key(key)
        let transport = CurlTransport(try trust.client(environment, for: url))
        return FeedService(baseURL: url, key: key, transport: transport)
    }

    /// Reads the address of a server; a bare one, such as 127.0.0.1:8080, is an address of HTTP.
    static func address(_ text: String) throws(CommandFailure) -> URL {
        let whole = text.contains("://") ? text : "http://" + text
        guard let url = URL(string: whole), ["http", "https"].contains(url.scheme?.lowercased()),
            url.host?.isEmpty == false
        else {
            let shown = WebAddress.shown(whole)
            throw .usage("no address of a server: \(shown); one looks like http://127.0.0.1:8080")
        }
        return url
    }
}

extension ServiceOptions {
    /// Runs `body` with the server that the options name; a failure names the server and the feed.
    ///
    /// - Throws: ``CommandFailure`` instead of ``FeedServiceError``.
    func asking<Result>(
        about feed: FeedName? = nil,
        _ body: (FeedService) async throws -> Result
    ) async throws -> Result {
        let environment = Environment()
        let service = try service(environment)
        do {
            return try await body(service)
        } catch let error as FeedServiceError {
            let hasKey = try environment.key(key) != nil
            throw error.failure(about: feed, at: service.baseURL, hasKey: hasKey)
        }
    }
}

/// The options for the certificates that a command trusts.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Trust the certificates in this file instead of the system's (FRESHET_CACERT).",
            valueName: "file"
        ),
        completion: .file()
    )
    var cacert: String?

    @Flag(help: "Do not check the server's certificate.")
    var insecure = false

    /// Returns the client of the command's requests: with certificate authorities of the user's
    /// choice, and for a server of HTTPS by the proxy that the environment names.
    ///
    /// - Throws: ``CommandFailure`` where the file of certificates cannot be read, or the system
    ///   has no thread left.
    func client(
        _ environment: Environment,
        for url: URL
    ) throws(CommandFailure) -> HTTPClient {
        var settings = HTTPClient.Settings()
        settings.userAgent = "freshet/\(Freshet.version)"
        settings.authorities = try authorities(environment)
        settings.verifiesServers = !insecure
        if url.scheme?.lowercased() == "https" {
            let variables = ProcessInfo.processInfo.environment
            settings.proxy = variables["https_proxy"] ?? variables["HTTPS_PROXY"]
        }
        do {
            return try HTTPClient(settings)
        } catch {
            throw .other("\(error)")
        }
    }

    /// Returns the file of certificates in PEM that are trusted instead of the system's; `nil`: no
    /// option or variable names one.
    func authorities(_ environment: Environment) throws(CommandFailure) -> String? {
        guard let path = cacert ?? environment.value("cacert") else { return nil }
        try TrustOptions.checkAuthorities(path)
        return path
    }

    /// Refuses a file of certificates that cannot be used.
    static func checkAuthorities(_ path: String) throws(CommandFailure) {
        do throws(FileContents.Failure) {
            try FileContents.checkCertificates(path)
        } catch {
            throw .usage("cannot read \(path): \(error.reason) (--cacert, FRESHET_CACERT)")
        }
    }
}

extension URL {
    /// The address as messages show it.
    var shown: String { ShownText.of(WebAddress.shown(absoluteString)) }

    /// The address without slashes at its end, for the path of a request to follow.
    var withoutLastSlash: String { String(absoluteString.reversed().drop { $0 == "/" }.reversed()) }
}

extension FeedName {
    /// Reads a feed's name.
    static func argument(_ text: String) throws -> FeedName {
        guard let name = FeedName(text) else {
            let reason = FeedName.refusal(of: text) ?? ""
            throw ValidationError("'\(text)' is no feed's id: \(reason).")
        }
        return name
    }
}

extension Token {
    /// Reads a token, or the entity tag with it.
    static func argument(_ text: String) throws -> Token {
        guard let token = Token(lenient: Array(text.utf8).span) else {
            throw ValidationError("'\(text)' is no token; one looks like q7x2m5kd.42.")
        }
        return token
    }
}

extension FeedServiceError {
    /// The error without the number of the edit and without the position in the body.
    var withoutPlaces: FeedServiceError {
        guard case .problem(let status, let type, var detail) = self else { return self }
        if detail.hasSuffix(")"), let place = detail.ranges(of: " (line ").last {
            detail.removeSubrange(place.lowerBound...)
        }
        if detail.hasPrefix("edits["), let end = detail.firstRange(of: "]: ") {
            detail.removeSubrange(..<end.upperBound)
        }
        return .problem(status: status, type: type, detail: detail)
    }

    /// Returns the failure in words for a person at a prompt.
    func failure(about feed: FeedName?, at server: URL, hasKey: Bool) -> CommandFailure {
        let place = feed.map { "\($0) at \(server.shown)" } ?? server.shown
        switch self {
        case .unreachable(let reason):
            let isUntrusted = reason.hasPrefix(HTTPClientError.tlsWords)
            let hint =
                isUntrusted
                ? "--cacert FILE (FRESHET_CACERT) trusts an authority of your own; a server "
                    + "without TLS is at http://"
                : "is it running there? --server or FRESHET_SERVER say where it is"
            return .other("no answer from \(server.shown): \(reason)\n\(hint)")
        case .problem(401, _, let detail) where !hasKey:
            return .other("\(place): \(detail) (401)\n--key or FRESHET_KEY give one")
        case .problem(let status, _, _) where status == 400 || status == 422:
            return .usage("\(place): \(debugDescription)")
        case .problem, .unexpected, .noKey: return .other("\(place): \(debugDescription)")
        }
    }
}
