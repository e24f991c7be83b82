import FeedAPI
import FeedModel
import FeedSources
import Foundation
import HTTPServer
import HTTPWire
import Logging

/// The settings that `freshet serve` runs by, put together from options, variables, the file and
/// defaults.
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
    /// The port; 0 for any free port.
    var port: Int
    /// The address of the operator's own listener; nil for none.
    var admin: ListenAddress?
    var keys: [AccessKey]
    var signingKeys: [SigningKey]
    /// The folder of the web client; nil where none is served.
    var publicFolder: String?
    /// The certificate's files; nil where connections are not encrypted.
    var tls: CertificateFiles?
    var loops: Int
    var servesDemo: Bool
    /// The bytes that the remembered versions of all feeds may take together.
    var historyByteLimit: Int?
    /// The bytes that all feeds may take; nil for a part of the machine's memory.
    var memoryByteLimit: Int?
    var logFormat: LogFormat
    var logLevel: Logger.Level
    var writesAccessLog: Bool
    /// The place where feeds are kept, a folder or `postgres://…`; nil for memory alone.
    var dataFolder: String?
    /// Whether the place is the default.
    var hasDefaultData: Bool
    /// Whether the server takes a copied folder of feeds, and gives every feed a new epoch.
    var adoptsData: Bool
    /// The time for which a server that is cut off from its origin or its database still says that
    /// it is ready.
    var staleTime: Duration
    /// The server that this one follows; nil for none.
    var mirror: Mirror?
    /// The address of the server that takes a mirror's publishes.
    var publishURL: String?

    /// The feeds that everyone may read.
    var openFeeds: [FeedPattern]
    /// Whether the server's only key was made at the start.
    var hasMadeKey = false
    /// The names that a server answers to that is for this machine alone.
    var allowedHosts: [String]
    var origins: APIConfiguration.Origins
    var allowedFields: [String]
    /// The limits on the requests of one client.
    var rateLimits: RateLimits
    /// The most bytes of a request's body; nil for the protocol's limit.
    var bodyByteLimit: Int?
    var itemLimit: Int?
    var limits: ServerLimits
    /// The address at which readers reach the server; `nil` where it is not known.
    var publicURL: String?
    /// The beginning of the ids of entries, in the formats of feed readers.
    var entryBase: String?
    /// The settings of feeds by name.
    var contents: Contents
    /// The time that a stop waits for requests under way.
    var stopTime: Duration

    /// Puts the settings together: an option counts before a variable, a variable before the file,
    /// the file before a default.
    ///
    /// The keys of all three add up; keys of options and variables may read and write everything.
    ///
    /// - Parameters:
    ///   - options: The options given at the prompt.
    ///   - environment: The variables.
    ///   - file: The configuration file.
    ///   - folderExists: Returns whether a folder exists; the default folder is served if it does
    ///     and no other is named.
    /// - Throws: ``CommandFailure`` for an impossible value.
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
        // Feeds that take a key to follow may not be for everyone.
        openFeeds = file.openFeeds ?? (mirror == nil ? [.all] : [])
        // The demo's feeds tell of this machine: pages of other origins see them only if the file
        // allows it.
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

    /// Returns the keys that were given in the clear, at the prompt or else in the variable.
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
    /// The bytes that all feeds may take; the rest of the memory is for connections and for work
    /// under way.
    var feedsByteLimit: Int { memoryByteLimit ?? MemorySize.byteCount / 8 * 5 }

    /// Whether the server is only for trying out on this machine. A server with the operator's keys
    /// is not: a proxy may stand before it that sends any name.
    private var isForThisMachine: Bool {
        (servesDemo || hasMadeKey)
            && HostNames().includes(host: host.contains(":") ? "[\(host)]" : host)
    }

    /// The file of the key that is made where there is no other, in the folder of the feeds; `nil`
    /// where they are kept in no folder.
    var madeKeyFile: String? {
        dataFolder.flatMap { KeptFeeds.isDatabase($0) ? nil : $0 + "/key" }
    }

    /// Whether there is a key for requests or for signing tokens.
    var hasKeys: Bool { !keys.isEmpty || !signingKeys.isEmpty }

    /// Takes a key that was made because the configuration has none.
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
    /// Takes the protocol's limits, except where the file has others.
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
