import ArgumentParser
import FeedClient
import FeedFormats
import FeedModel
import Foundation
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

    /// Returns the client of the server that the options name.
    ///
    /// - Throws: ``CommandFailure`` when the server's address is no address of HTTP, or the key
    ///   cannot be sent.
    func service(_ environment: Environment) throws(CommandFailure) -> FeedService {
        let url = try ServiceOptions.address(
            server ?? environment.value("server") ?? "http://127.0.0.1:8080"
        )
        let key = try environment.key(key)
        guard key.map(KeyText.canBeSent) ?? true else {
            throw .usage("the key has characters that no key has")
        }
        let transport = try CurlTransport(
            authorities: cacert ?? environment.value("cacert"),
            verifiesServers: !insecure
        )
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

extension URL {
    /// The address as messages show it.
    var shown: String { ShownText.of(WebAddress.shown(absoluteString)) }
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
