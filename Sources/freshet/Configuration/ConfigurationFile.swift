import FeedAPI
import FeedJournal
import FeedModel
import FeedSources
import FeedStore
import HTTPServer
import Logging

/// The content of a configuration file; a setting that is not in it is nil.
struct ConfigurationFile: Equatable {
    var host: String?
    var port: Int?
    var admin: ListenAddress?
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
    var dataFolder: String?
    var staleTime: Duration?
    var mirror: String?
    var mirrorKey: String?
    var mirrorFeeds: [FeedPattern]?
    var publishURL: String?
    var keys: [AccessKey] = []
    var signingKeys: [SigningKey] = []
    /// The files of those that are secrets.
    var secretFiles: [String] = []
    /// The files of fields that are sent to sources.
    var headerFiles: [String] = []
    /// Whether it holds fields that are sent to sources, or a proxy's password.
    var hasSecrets = false
    var openFeeds: [FeedPattern]?
    var origins: APIConfiguration.Origins?
    var allowedFields: [String]?
    var limits = Limits()
    var rateLimits = RateLimits()
    var publicURL: String?
    var entryBase: String?
    /// The folder of the files that are sources.
    var sourceFolder: String?
    var trustedProxies: [TrustedProxies.Network]?
    var forwardedField: TrustedProxies.Field?
    /// The feeds that have a source.
    var sources: [SourceSettings] = []
    /// The feeds that are made of others.
    var derivations: [Derivation] = []
    /// How many items one publish may remove.
    var guards = FeedRules<RemovalGuard>()
    /// How many older versions are kept.
    var retention = FeedRules<Retention>()

    /// The settings under `limits`.
    struct Limits: Equatable {
        var bodyByteCount: Int?
        var itemCount: Int?
        var connectionCount: Int?
        var targetByteCount: Int?
        var headByteCount: Int?
        var headFieldCount: Int?
        var headTime: Duration?
        var idleTime: Duration?
        var progressTime: Duration?
        var stopTime: Duration?
    }

    /// Warnings of settings that do no harm but may not be meant.
    var warnings: [ConfigurationIssue] = []
}

extension ConfigurationFile {
    /// Reads a file's bytes.
    ///
    /// - Throws: Everything that is wrong in it, in the order of the file.
    init(parsing bytes: [UInt8]) throws(ConfigurationIssues) {
        var reader = ConfigurationReader()
        reader.read(bytes)
        let issues = reader.issues.sorted { left, right in
            let (left, right) = (left.place, right.place)
            return (left?.line ?? 0, left?.column ?? 0) < (right?.line ?? 0, right?.column ?? 0)
        }
        guard issues.allSatisfy(\.isWarning) else { throw ConfigurationIssues(list: issues) }
        self = reader.file
        warnings = issues
    }
}
