import FeedAPI
import FeedJournal
import FeedModel
import FeedSources
import FeedStore
import HTTPServer
import Logging

/// The content of a configuration file; a setting that is not in the file is nil.
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
    /// The files of the signing keys that are secrets.
    var secretFiles: [String] = []
    /// The files of fields that are sent to sources.
    var headerFiles: [String] = []
    /// Whether the file holds fields that are sent to sources, or a proxy's password.
    var hasSecrets = false
    var openFeeds: [FeedPattern]?
    var origins: APIConfiguration.Origins?
    var allowedFields: [String]?
    var limits = Limits()
    var rateLimits = RateLimits()
    var publicURL: String?
    var entryBase: String?
    /// The folder of the files that serve as sources.
    var sourceFolder: String?
    var trustedProxies: [TrustedProxies.Network]?
    var forwardedField: TrustedProxies.Field?
    /// The feeds that have a source.
    var sources: [SourceSettings] = []
    /// The feeds that are derived from other feeds.
    var derivations: [Derivation] = []
    /// The rules on the number of items that one publish may remove.
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

    /// The warnings of settings that do no harm but may not be intended.
    var warnings: [ConfigurationIssue] = []
}

extension ConfigurationFile {
    /// Reads a file's bytes.
    ///
    /// - Throws: All mistakes in the file, in the order of their places.
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
