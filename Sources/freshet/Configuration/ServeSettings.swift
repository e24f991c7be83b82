import FeedAPI
import FeedModel
import FeedSources
import Foundation
import HTTPServer
import HTTPWire
import Logging

/// How `freshet serve` serves, once options, variables, the file and defaults are put together.
struct ServeSettings: Equatable, Sendable {
    /// The options given at the prompt; an option that was not given is nil or empty.
    struct Options: Sendable {
        var host: String?
        var port: Int?
        var keys: [String] = []
        var publicFolder: String?
        var certificate: String?
        var certificateKey: String?
        var loops: Int?
        var servesDemo: Bool?
        var historyByteLimit: Int?
        var memoryByteLimit: Int?
        var logFormat: LogFormat?
        var logLevel: Logger.Level?
        var writesAccessLog: Bool?
        var allowedHosts: [String] = []
        var dataFolder: String?
        var adoptsData = false
        var staleTime: Duration?
        var mirror: String?
        var mirrorKey: String?
        var mirrorFeeds: [String] = []
        var publishURL: String?
        var trustedProxies: [TrustedProxies.Network]?
        var forwardedField: TrustedProxies.Field?
        var admin: ListenAddress?
    }

    var host: String
    /// 0: any that is free.
    var port: Int
    /// Where the operator's own pages are; nil: nowhere.
    var admin: ListenAddress?
    var keys: [AccessKey]
    var signingKeys: [SigningKey]
    /// The folder of the web client; nil: none is served.
    var publicFolder: String?
    /// nil: connections are not encrypted.
    var tls: CertificateFiles?
    var loops: Int
    var servesDemo: Bool
    /// Bytes that the remembered versions of all feeds may weigh.
    var historyByteLimit: Int?
    /// Bytes that all feeds may take; nil: a part of what the machine has.
    var memoryByteLimit: Int?
    var logFormat: LogFormat
    var logLevel: Logger.Level
    var writesAccessLog: Bool
    /// Where feeds are kept, a folder or `postgres://…`; nil: in memory alone.
    var dataFolder: String?
    /// Whether the place is the default.
    var hasDefaultData: Bool
    /// Takes a folder of feeds that was copied, and gives every feed a new epoch.
    var adoptsData: Bool
    /// For how long a server that is cut off from what it follows says that it is ready.
    var staleTime: Duration
    /// The server that is followed; nil: none.
    var mirror: Mirror?
    /// Where publishes go that come to a mirror.
    var publishURL: String?

    /// The feeds that everyone may read.
    var openFeeds: [FeedPattern]
    /// Whether its key was made at the start.
    var hasMadeKey = false
    /// Names that it answers to though it is only for this machine.
    var allowedHosts: [String]
    var origins: APIConfiguration.Origins
    var allowedFields: [String]
    /// How many requests one client may send.
    var rateLimits: RateLimits
    /// Nil: the protocol's.
    var bodyByteLimit: Int?
    var itemLimit: Int?
    var limits: ServerLimits
    /// Where readers reach the server; `nil`: not known.
    var publicURL: String?
    /// The beginning of the ids of entries, in the formats of feed readers.
    var entryBase: String?
    /// The settings of feeds by name.
    var contents: Contents
    /// How long a stop waits for those who are being answered.
    var stopTime: Duration

    /// Puts options before variables before the file before defaults.
    ///
    /// The keys of all add up: those given as such may read and write everything.
    ///
    /// - Parameters:
    ///   - options: The options given at the prompt.
    ///   - environment: The variables.
    ///   - file: The configuration file.
    ///   - folderExists: Whether a folder is there, for the default one that is served when none is
    ///     named.
    /// - Throws: ``CommandFailure`` for a value that cannot be.
    init(
        _ options: Options,
        _ environment: Environment,
        _ file: ConfigurationFile = ConfigurationFile(),
        folderExists: (String) -> Bool
    ) throws(CommandFailure) {
        typealias Name = ServeSetting
        host = try environment.value(Name.host, options.host, file.host) ?? "127.0.0.1"
        port = try environment.value(Name.port, options.port, file.port) ?? 8080
        admin = try environment.value(Name.admin, options.admin, file.admin)
        loops =
            try environment.value(Name.loops, options.loops, file.loops)
            ?? ProcessInfo.processInfo.activeProcessorCount
        servesDemo =
            try environment.value(Name.demo, options.servesDemo, file.servesDemo) ?? false
        historyByteLimit =
            try environment.value(Name.history, options.historyByteLimit, file.historyByteLimit)
        memoryByteLimit =
            try environment.value(Name.memoryLimit, options.memoryByteLimit, file.memoryByteLimit)
        logFormat =
            try environment.value(Name.logFormat, options.logFormat, file.logFormat) ?? .text
        logLevel = try environment.value(Name.logLevel, options.logLevel, file.logLevel) ?? .info
        writesAccessLog =
            try environment.value(Name.accessLog, options.writesAccessLog, file.writesAccessLog)
            ?? false
        let data = try environment.value(
            Name.data,
            ServeSettings.checkedData(options.dataFolder),
            file.dataFolder
        )
        hasDefaultData = data == nil
        dataFolder = data == "memory" ? nil : data ?? "freshet-data"
        adoptsData = options.adoptsData
        staleTime =
            try environment.value(Name.staleAfter, options.staleTime, file.staleTime)
            ?? APIConfiguration().staleTime
        publishURL = try environment.value(Name.publishURL, options.publishURL, file.publishURL)
        mirror = try ServeSettings.mirror(options, environment, file)
        if mirror != nil, let dataFolder, KeptFeeds.isDatabase(dataFolder) {
            throw .usage(
                "a mirror keeps feeds in a folder: --data takes no database beside --mirror"
            )
        }
        publicFolder =
            try environment.value(Name.publicFolder, options.publicFolder, file.publicFolder)
            ?? ["Public", InstalledFiles.place("Public")?.path].compactMap(\.self).first(
                where: folderExists
            )
        tls = try ServeSettings.tls(options, environment, file)
        keys = try ServeSettings.plainKeys(options, environment) + file.keys
        signingKeys = file.signingKeys
        // What is followed with a key may not be for everyone.
        openFeeds = file.openFeeds ?? (mirror == nil ? [.all] : [])
        // What lives is of this machine: no page of another origin is to see it unasked.
        origins = file.origins ?? (servesDemo ? .list([]) : .any)
        allowedFields = file.allowedFields ?? []
        allowedHosts = options.allowedHosts
        rateLimits = file.rateLimits
        bodyByteLimit = file.limits.bodyByteCount
        itemLimit = file.limits.itemCount
        limits = ServerLimits(file.limits)
        contents = Contents(file)
        limits.proxies = try ServeSettings.proxies(options, environment, file)
        publicURL = file.publicURL
        entryBase = file.entryBase
        stopTime = file.limits.stopTime ?? .seconds(8)
        if let publicFolder, !folderExists(publicFolder) {
            throw .usage("there is no folder \(publicFolder)")
        }
    }

    private static func tls(
        _ options: Options,
        _ environment: Environment,
        _ file: ConfigurationFile
    ) throws(CommandFailure) -> CertificateFiles? {
        let (certificate, key) = (
            try environment.value(ServeSetting.certificate, options.certificate, file.certificate),
            try environment.value(
                ServeSetting.certificateKey,
                options.certificateKey,
                file.certificateKey
            )
        )
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return CertificateFiles(certificate: certificate, key: key)
        case (_?, nil): throw .usage("a certificate needs its key: --tls-key (FRESHET_TLS_KEY)")
        case (nil, _?): throw .usage("a key needs its certificate: --tls-cert (FRESHET_TLS_CERT)")
        }
    }

    /// The keys that were given as such, at the prompt or else in the variable.
    private static func plainKeys(
        _ options: Options,
        _ environment: Environment
    ) throws(CommandFailure) -> [AccessKey] {
        var keys = options.keys
        if keys.isEmpty { keys = try environment.keys() }
        guard keys.allSatisfy(KeyText.canBeSent) else {
            throw .usage("a key has only letters, digits and - . _ ~ + / with = at its end")
        }
        return keys.map { AccessKey($0) }
    }
}

extension ServeSettings {
    /// Bytes that all feeds may take; the rest is for connections and for work under way.
    var feedsByteLimit: Int { memoryByteLimit ?? MemorySize.byteCount / 8 * 5 }

    /// Whether it is only for trying out on this machine: with another key, a proxy may stand
    /// before it that sends any name.
    private var isForThisMachine: Bool {
        (servesDemo || hasMadeKey)
            && HostNames().includes(host: host.contains(":") ? "[\(host)]" : host)
    }

    /// The file of the key that is made where there is no other, kept with the feeds; `nil`: they are
    /// kept in no folder.
    var madeKeyFile: String? {
        dataFolder.flatMap { KeptFeeds.isDatabase($0) ? nil : $0 + "/key" }
    }

    /// Whether anybody has a key, or can sign tokens.
    var hasKeys: Bool { !keys.isEmpty || !signingKeys.isEmpty }

    /// Takes a key that was made because there was no other.
    mutating func take(madeKey key: String) {
        keys = [AccessKey(key)]
        hasMadeKey = true
    }

    /// The configuration for the routes.
    var api: APIConfiguration {
        var configuration = APIConfiguration()
        configuration.keys = keys
        configuration.signingKeys = signingKeys
        configuration.openFeeds = openFeeds
        configuration.origins = origins
        configuration.allowedFields = allowedFields
        configuration.rateLimits = rateLimits
        configuration.publicURL = publicURL
        configuration.entryBase = entryBase
        if isForThisMachine { configuration.hostNames = HostNames(allowedHosts) }
        if let bodyByteLimit { configuration.bodyByteLimit = bodyByteLimit }
        if let itemLimit { configuration.itemLimit = itemLimit }
        configuration.staleTime = staleTime
        configuration.publishURL = publishURL
        configuration.derivedFeeds = contents.derivedFeeds
        configuration.guards = contents.guards
        return configuration
    }
}

extension ServerLimits {
    /// The protocol's limits but for what a file says.
    fileprivate init(_ limits: ConfigurationFile.Limits) {
        self.init()
        connectionLimit = limits.connectionCount
        if let count = limits.targetByteCount { head.targetByteLimit = count }
        if let count = limits.headByteCount { head.headByteLimit = count }
        if let count = limits.headFieldCount { head.fieldLimit = count }
        if let time = limits.headTime { headTime = time }
        if let time = limits.idleTime { idleTime = time }
        if let time = limits.progressTime { progressTime = time }
    }
}

extension ServeSettings {
    /// Checks the folder or the address of an option; no message repeats it, since an address may
    /// have a password.
    private static func checkedData(_ text: String?) throws(CommandFailure) -> String? {
        guard let text else { return nil }
        do throws(InvalidSetting) {
            return try ServeSetting.data.value(text)
        } catch {
            throw .usage("--data \(error.reason)")
        }
    }
}
