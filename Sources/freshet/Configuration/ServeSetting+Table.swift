import ArgumentParser
import FeedAPI
import FeedFormats
import FeedModel
import HTTPServer
import HTTPWire
import Logging

/// The table of settings, in the order of the help.
///
/// A new setting is a row here, the property that its path leads to, and a line in
/// docs/OPERATIONS.md.
extension ServeSetting {
    static let all: [ServeSetting] = onCommandLine + inFileAlone + limits + rateLimits + contents

    private static let onCommandLine: [ServeSetting] = [
        ServeSetting(
            host,
            at: \.host,
            .atRestart,
            Usage("The address to listen on", default: .value)
        ),
        ServeSetting(
            .number("port", 0...65535),
            at: \.port,
            .atRestart,
            Usage("The port; 0 takes any that is free", default: .value)
        ),
        ServeSetting(
            admin,
            optional: \.admin,
            .atRestart,
            Usage(
                "Where the server's own figures are, /metrics",
                value: "address:port",
                default: .words("nowhere")
            )
        ),
        ServeSetting(
            each: key,
            \.ownKeys,
            nil,
            variable: .keys,
            Usage(
                "A key that may read and write everything; can be repeated "
                    + "(FRESHET_KEY, with commas, or FRESHET_KEY_FILE)",
                .repeated,
                value: "key"
            )
        ),
        ServeSetting(
            data,
            at: \.data,
            .atRestart,
            Usage(
                "Where feeds are kept: a folder, postgres://…, or memory, which forgets them",
                value: "dir",
                default: .value,
                completion: .directory
            )
        ),
        ServeSetting(
            .flag("adopt"),
            at: \.adoptsData,
            nil,
            variable: .none,
            Usage(
                "Take a folder that was copied, or a database that was put back to an earlier "
                    + "state: every feed gets a new epoch",
                .flag
            )
        ),
        ServeSetting(
            .duration("stale-after", .seconds(1) ... .seconds(3600)),
            at: \.api.staleTime,
            .atReload,
            Usage(
                "When cut off from a database, how long /readyz still says ready",
                value: "time",
                default: .value
            )
        ),
        ServeSetting(
            mirror,
            optional: \.mirrorOrigin,
            .atRestart,
            Usage("Follow the server at this address, and serve what it serves", value: "url")
        ),
        ServeSetting(
            .secret("mirror-key"),
            optional: \.mirrorKey,
            .atRestart,
            Usage("The key to follow with; the variable does not show in ps", value: "key")
        ),
        ServeSetting(
            each: mirrorFeed,
            \.mirrorFeeds,
            .atRestart,
            Usage(
                "The feeds to follow, with * for anything; can be repeated",
                .repeated,
                value: "pattern",
                default: .words("all")
            )
        ) { reader, node in
            guard let feeds = reader.openFeeds(node, "mirror-feeds") else { return }
            reader.file.settings.mirrorFeeds = feeds
        },
        ServeSetting(
            .text("publish-url"),
            optional: \.api.publishURL,
            .atReload,
            Usage("What a mirror names as the place to publish at", value: "url")
        ),
        ServeSetting(
            .text("key-file"),
            optional: \.keyFile,
            nil,
            variable: .none,
            Usage(
                """
                Without a key, write the one that is made to this file, which only its owner can \
                read
                """,
                value: "file",
                completion: .file()
            )
        ),
        ServeSetting(
            each: .text("allow-host"),
            \.allowedHosts,
            nil,
            Usage(
                "A name in Host that the operator's listener, or a server for this machine only, "
                    + "answers to",
                .repeated,
                value: "name"
            )
        ),
        ServeSetting(
            trustedProxies,
            at: \.limits.proxies.networks,
            .atReload,
            Usage(
                "Proxies whose word is taken for who sent a request, separated by commas",
                value: "networks"
            )
        ),
        ServeSetting(
            .word("forwarded-field", TrustedProxies.Field.self),
            at: \.limits.proxies.field,
            .atReload,
            Usage(
                "Where they say it: x-forwarded-for, forwarded, or proxy-protocol",
                value: "field",
                default: .value
            )
        ),
        ServeSetting(
            .text("public"),
            optional: \.publicFolder,
            .atRestart,
            Usage(
                "The folder of the web client",
                value: "dir",
                default: .words("Public, where there is one"),
                completion: .directory
            )
        ),
        ServeSetting(
            .text("tls-cert"),
            optional: \.certificate,
            .atReload,
            Usage(
                "The certificate, as PEM, with those that follow it: serve HTTPS",
                value: "file",
                completion: .file()
            )
        ),
        ServeSetting(
            .text("tls-key"),
            optional: \.certificateKey,
            .atReload,
            Usage(
                "The certificate's private key, as PEM",
                value: "file",
                completion: .file()
            )
        ),
        ServeSetting(
            .number("loops", 1...1024),
            at: \.loops,
            .atRestart,
            Usage(
                "How many event loops serve",
                default: .words("one a core, and at most one for 512 MiB")
            )
        ),
        ServeSetting(
            .flag("demo"),
            at: \.servesDemo,
            .atRestart,
            Usage("Serve feeds that live, to try out", .flagOrNot)
        ),
        ServeSetting(
            .byteCount("history", 0...(1 << 50)),
            at: \.historyByteLimit,
            .atRestart,
            Usage(
                "What the past versions of all feeds may weigh",
                value: "size",
                default: .value
            )
        ),
        ServeSetting(
            .byteCount("memory-limit", (1 << 20)...(1 << 50)),
            optional: \.memoryByteLimit,
            .atReload,
            Usage(
                "What all feeds may take of the memory",
                value: "size",
                default: .words("five eighths")
            )
        ),
        ServeSetting(
            .word("log-format", LogFormat.self),
            at: \.logFormat,
            .atRestart,
            Usage("text (default) or json, for all logs")
        ),
        ServeSetting(
            .word("log-level", Logger.Level.self),
            at: \.logLevel,
            .atReload,
            Usage(
                "trace, debug, info (default), notice, warning, error or critical",
                value: "level"
            )
        ),
        ServeSetting(
            .flag("access-log"),
            at: \.writesAccessLog,
            .atRestart,
            Usage("Write a line for every answer to standard output", .flagOrNot)
        ),
    ]

    private static let inFileAlone: [ServeSetting] = [
        ServeSetting(webAddress("public-url"), optional: \.api.publicURL, .atReload),
        ServeSetting(webAddress("entry-base"), optional: \.api.entryBase, .atReload),
        ServeSetting(.text("source-folder"), optional: \.sourceFolder, .atReload),
        ServeSetting(file: "open-feeds", \.api.openFeeds, .atReload) { reader, node in
            guard let feeds = reader.openFeeds(node) else { return }
            reader.file.settings.api.openFeeds = feeds
        },
        ServeSetting(file: "allowed-origins", \.api.origins, .atReload) { reader, node in
            guard let origins = reader.origins(node) else { return }
            reader.file.settings.api.origins = origins
        },
        ServeSetting(file: "allowed-headers", \.api.allowedFields, .atReload) { reader, node in
            guard let fields = reader.allowedFields(node) else { return }
            reader.file.settings.api.allowedFields = fields
        },
    ]

    private static let limits: [ServeSetting] = [
        ServeSetting(
            .byteCount("limits.body-size", 1...(1 << 40)),
            at: \.api.bodyByteLimit,
            .atReload
        ),
        ServeSetting(
            .number("limits.feed-items", 1...1_000_000_000),
            at: \.api.itemLimit,
            .atReload
        ),
        ServeSetting(
            .number("limits.connections", 1...10_000_000),
            optional: \.limits.connectionLimit,
            .atReload
        ),
        ServeSetting(
            .byteCount("limits.target-size", 64...(1 << 20)),
            at: \.limits.head.targetByteLimit,
            .atReload
        ),
        ServeSetting(
            .byteCount("limits.head-size", 256...(16 << 20)),
            at: \.limits.head.headByteLimit,
            .atReload
        ),
        ServeSetting(
            .number("limits.head-fields", 8...255),
            at: \.limits.head.fieldLimit,
            .atReload
        ),
        ServeSetting(.duration("limits.head-timeout", timeRange), at: \.limits.headTime, .atReload),
        ServeSetting(.duration("limits.idle-timeout", timeRange), at: \.limits.idleTime, .atReload),
        ServeSetting(
            .duration("limits.progress-timeout", timeRange),
            at: \.limits.progressTime,
            .atReload
        ),
        ServeSetting(
            .duration("limits.stop-timeout", .zero ... .seconds(3600)),
            at: \.stopTime,
            .atReload
        ),
    ]

    private static let rateLimits = RateLimit.Name.allCases.map { name in
        ServeSetting(
            .rate("rate-limits.\(name.rawValue)"),
            optional: \.api.rateLimits[name],
            .atReload
        )
    }

    /// Settings that are read after all others, which they depend on.
    private static let contents: [ServeSetting] = [
        ServeSetting(file: "keys", \.api.keys, .atReload) { reader, node in
            reader.readKeys(node)
        },
        ServeSetting(file: "feeds", \.contents, .atReload) { reader, node in
            reader.readFeeds(node)
        },
        ServeSetting(file: "signing-keys", \.api.signingKeys, .atReload) { reader, node in
            reader.readSigningKeys(node)
        },
    ]
}

/// Settings whose values are checked in ways that no other setting shares.
extension ServeSetting {
    private static let timeRange = Duration.seconds(1) ... .seconds(86_400)

    private static let host = Setting<String>("host", "an address or a name") { text in
        // An IPv6 address may stand in brackets, as in an address of the web.
        let isInBrackets = text.hasPrefix("[") && text.hasSuffix("]")
        let host = isInBrackets ? String(text.dropFirst().dropLast()) : text
        return host.isEmpty ? nil : host
    }

    private static let admin = Setting<ListenAddress>(
        "admin",
        "an address and a port, such as 127.0.0.1:9090"
    ) { ListenAddress($0) }

    private static let key = Setting<AccessKey>("key", mayBeSecret: true) {
        text throws(InvalidSetting) in
        guard KeyText.canBeSent(text) else {
            throw InvalidSetting(
                reason: "must have only letters, digits and - . _ ~ + / with = at its end"
            )
        }
        return AccessKey(text)
    }

    private static let data = Setting<String>("data", mayBeSecret: true) {
        text throws(InvalidSetting) in
        // No message repeats the value, which may have a password.
        guard !text.contains("://") || FeedStorage.isDatabase(text) else {
            throw InvalidSetting(reason: "must be a folder, postgres://…, or memory")
        }
        let first = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let words = [
            "host", "hostaddr", "port", "dbname", "user", "password", "service", "sslmode",
        ]
        guard first.count < 2 || !words.contains(first[0].filter { $0 != " " }) else {
            throw InvalidSetting(
                reason: "must be a folder, or the address of a database, which is written as "
                    + "postgres://USER@HOST:PORT/DATABASE here, not as a list of host=… dbname=…"
            )
        }
        return text
    }

    private static let mirror = Setting<String>("mirror", mayBeSecret: true) {
        text throws(InvalidSetting) in
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
        guard isBase(address) else {
            throw InvalidSetting(
                reason: "must be an address of http or https, such as https://feeds.example.org"
            )
        }
        return String(address.reversed().drop { $0 == "/" }.reversed())
    }

    private static let mirrorFeed = Setting<FeedPattern>("mirror-feeds") {
        text throws(InvalidSetting) in
        guard let pattern = FeedPattern(text) else {
            throw InvalidSetting(reason: "\"\(text)\" is no feed's name, with * for anything")
        }
        return pattern
    }

    private static let trustedProxies = Setting<[TrustedProxies.Network]>(
        "trusted-proxies",
        "addresses or networks (10.0.0.0/8), separated by commas"
    ) { text in
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let networks = parts.compactMap { part in
            TrustedProxies.Network(part.filter { $0 != " " })
        }
        return networks.count == parts.count ? networks : nil
    }

    private static func webAddress(_ name: String) -> Setting<String> {
        Setting<String>(
            name,
            "an address of http or https without a slash at its end",
            mayBeSecret: true
        ) { text in
            isBase(text) && !text.hasSuffix("/") ? text : nil
        }
    }

    /// Returns whether other addresses of http or https can begin with an address.
    private static func isBase(_ address: String) -> Bool {
        WebAddress.isWeb(address) && WebAddress.hasHostAndPort(address)
            && !address.contains { "?# \"<>".contains($0) }
    }
}
