import FeedFormats
import FeedSources
import HTTPServer
import Logging

/// The settings of `serve` that have an option, a variable and a place in the file.
enum ServeSetting {
    static let host = Setting<String>("host", "an address or a name") { text in
        // An IPv6 address may stand in brackets, as in an address of the web.
        let isInBrackets = text.hasPrefix("[") && text.hasSuffix("]")
        let host = isInBrackets ? String(text.dropFirst().dropLast()) : text
        return host.isEmpty ? nil : host
    }
    static let port = Setting<Int>.number("port", 0...65535)
    static let publicFolder = Setting<String>.text("public")
    static let certificate = Setting<String>.text("tls-cert")
    static let certificateKey = Setting<String>.text("tls-key")
    static let loops = Setting<Int>.number("loops", 1...1024)
    static let demo = Setting<Bool>.flag("demo")
    static let history = Setting<Int>.byteCount("history", 0...(1 << 50))
    static let memoryLimit = Setting<Int>.byteCount("memory-limit", (1 << 20)...(1 << 50))
    static let logFormat = Setting<LogFormat>.word("log-format", LogFormat.self)
    static let logLevel = Setting<Logger.Level>.word("log-level", Logger.Level.self)
    static let data = Setting<String>("data") { text throws(InvalidSetting) in
        // No message repeats the value, which may have a password.
        guard !text.isEmpty, !text.contains("://") || KeptFeeds.isDatabase(text) else {
            throw InvalidSetting(reason: "must be a folder, postgres://…, or memory")
        }
        let first = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let words = ["host", "hostaddr", "port", "dbname", "user", "password", "service", "sslmode"]
        guard first.count < 2 || !words.contains(first[0].filter { $0 != " " }) else {
            throw InvalidSetting(
                reason: "must be a folder, or the address of a database, which is written as "
                    + "postgres://USER@HOST:PORT/DATABASE here, not as a list of host=… dbname=…"
            )
        }
        return text
    }
    static let staleAfter = Setting<Duration>.duration(
        "stale-after",
        .seconds(1)...(.seconds(3600))
    )
    static let mirror = Setting<String>("mirror") { text throws(InvalidSetting) in
        // This message does not repeat the value, which may have a password.
        guard WebAddress.withoutUserInfo(text) == text else {
            throw InvalidSetting(
                reason: "must have no name and password, which would be logged: "
                    + "the key to follow with is mirror-key"
            )
        }
        let address = WebAddress.withASCIIHost(text)
        guard address.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw InvalidSetting(
                reason: "must be in ASCII, its host as it is in DNS (xn--…)"
            )
        }
        guard WebAddress.isWeb(address), WebAddress.hasHostAndPort(address),
            !address.contains(where: { "?# \"<>".contains($0) })
        else {
            throw InvalidSetting(
                reason: "must be an address of http or https, such as https://feeds.example.org"
            )
        }
        return String(address.reversed().drop { $0 == "/" }.reversed())
    }
    static let mirrorKey = Setting<String>.text("mirror-key")
    static let publishURL = Setting<String>.text("publish-url")
    static let sourceFolder = Setting<String>.text("source-folder")
    static let publicURL = Setting<String>("public-url", form, mayBeSecret: true, read: webAddress)
    static let entryBase = Setting<String>("entry-base", form, mayBeSecret: true, read: webAddress)
    private static let form = "an address of http or https without a slash at its end"

    private static func webAddress(_ text: String) -> String? {
        let isPlain = WebAddress.isWeb(text) && !text.hasSuffix("/")
        return isPlain && !text.contains { "?# \"<>".contains($0) } ? text : nil
    }

    static let admin = Setting<ListenAddress>(
        "admin",
        "an address and a port, such as 127.0.0.1:9090"
    ) { ListenAddress($0) }
    static let trustedProxies = Setting<[TrustedProxies.Network]>(
        "trusted-proxies",
        "addresses or networks (10.0.0.0/8), separated by commas"
    ) { text in
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let networks = parts.compactMap { part in
            TrustedProxies.Network(part.filter { $0 != " " })
        }
        return networks.count == parts.count ? networks : nil
    }
    static let forwardedField = Setting<TrustedProxies.Field>.word(
        "forwarded-field",
        TrustedProxies.Field.self
    )
    static let accessLog = Setting<Bool>.flag("access-log")
}
