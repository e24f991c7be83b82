import FeedAPI
import FeedModel
import FeedSources
import FeedStore
import Foundation
import HTTPServer
import Logging
import Platform

/// The settings that `freshet serve` runs by, put together as the table (``ServeSetting/all``)
/// says.
///
/// Options override variables, variables the file, and the file the defaults.
struct ServeSettings: Sendable {
    /// The texts that were given at the prompt, by the names of the options.
    typealias Options = [String: [String]]

    var host = "127.0.0.1"
    /// The port; 0 for any free port.
    var port = 8080
    /// The address of the operator's own listener; nil for none.
    var admin: ListenAddress?
    /// The keys of the option or the variable, which may read and write everything.
    var ownKeys: [AccessKey] = []
    /// The folder of the web client; nil where none is served.
    var publicFolder: String?
    /// The certificate's file; nil where connections are not encrypted.
    var certificate: String?
    var certificateKey: String?
    var loops = HTTPServer.loopCount()
    var servesDemo = false
    /// The bytes that the remembered versions of all feeds may take together.
    var historyByteLimit = HistoryLimits().totalWeight
    /// The bytes that all feeds may take; nil for a part of the machine's memory.
    var memoryByteLimit: Int?
    var logFormat = LogFormat.text
    var logLevel = Logger.Level.info
    var writesAccessLog = false
    /// The storage of the feeds: a folder, `postgres://…`, or `memory`.
    var data = "freshet-data"
    /// Whether the server takes a copied folder of feeds, and gives every feed a new epoch.
    var adoptsData = false
    /// The address of the server that this one follows; nil for none.
    var mirrorOrigin: String?
    var mirrorKey: String?
    var mirrorFeeds: [FeedPattern] = [.all]
    /// A file of certificates that are trusted instead of the system's by a mirror.
    var mirrorAuthorities: String?
    /// A file to which a generated key is written, too.
    var keyFile: String?
    /// The names in `Host` that the operator's listener, and a server for this machine alone, also
    /// answer to.
    var allowedHosts: [String] = []
    /// The folder of the files that serve as sources.
    var sourceFolder: String?
    /// The settings of the API as they are written; ``apiConfiguration`` also has those that follow
    /// from other settings.
    var api = APIConfiguration()
    var limits = ServerLimits()
    /// The settings of feeds by name.
    var contents = Contents()
    /// The time that a stop waits for requests under way.
    var stopTime = Duration.seconds(8)

    /// Whether the server's only key was made at the start.
    var hasMadeKey = false
    /// The option, variable or line of the file that gave each setting, by the setting's name; a
    /// setting with its default value has none.
    private(set) var origins: [String: Origin] = [:]

    /// Makes the default settings.
    init() {}

    /// The option, variable or line of the file that gave a setting.
    enum Origin: Equatable, Sendable {
        /// The option or the variable of this name.
        case name(String)
        /// A line of the configuration file.
        case file(String, ConfigurationIssue.Place?)
    }

    /// The settings of feeds by name: the origin of their content, the limits on removals, and the
    /// number of versions that are kept.
    struct Contents: Equatable, Sendable {
        /// The feeds that have a source.
        var sources: [SourceSettings] = []
        /// The feeds that are derived from other feeds.
        var derivations: [Derivation] = []

        /// The rules on the number of items that one publish may remove.
        var guards = FeedRules<RemovalGuard>()

        /// The number of older versions that are kept.
        var retention = FeedRules<Retention>()

        /// The feeds that are derived from other feeds, each with the patterns of its sources.
        var derivedFeeds: [FeedName: [FeedPattern]] {
            Dictionary(derivations.map { ($0.feed, $0.from) }) { first, _ in first }
        }
    }
}

extension ServeSettings {
    /// Puts the settings together: an option overrides a variable, a variable the file, the file a
    /// default.
    ///
    /// The keys of the option, or else of the variable, are added to the file's, and may read and
    /// write everything.
    ///
    /// - Parameter folderExists: Returns whether a folder exists; the default folder is served if
    ///   it does and no other is named.
    /// - Throws: ``CommandFailure`` with all impossible values, a line each.
    init(
        _ options: Options,
        _ environment: Environment,
        _ file: ConfigurationFile = ConfigurationFile(),
        folderExists: (String) -> Bool = FileContents.isFolder
    ) throws(CommandFailure) {
        self = file.settings
        origins = file.places.mapValues { .file(file.name, $0) }
        var problems: [String] = []
        for setting in ServeSetting.all {
            do throws(CommandFailure) {
                try take(setting, options, environment)
            } catch {
                problems.append(error.message)
            }
        }
        guard problems.isEmpty else { throw .usage(problems.joined(separator: "\n")) }
        api.keys = ownKeys + api.keys
        mirrorAuthorities = environment.value("cacert")
        if publicFolder == nil {
            publicFolder = ["Public", Freshet.installedFile("Public")?.path].compactMap(\.self)
                .first(where: folderExists)
        }
        // Feeds that take a key to follow may not be for everyone.
        if origins["open-feeds"] == nil, mirrorOrigin != nil { api.openFeeds = [] }
        // The demo's feeds show data of this machine: pages of other origins see them only if the
        // file allows it.
        if origins["allowed-origins"] == nil, servesDemo { api.origins = .list([]) }
        problems = contradictions
        if let publicFolder, !folderExists(publicFolder) {
            problems.append(problem("public", "there is no folder \(publicFolder)"))
        }
        guard problems.isEmpty else { throw .usage(problems.joined(separator: "\n")) }
    }

    /// Takes the value of the option, or else of the variable.
    private mutating func take(
        _ setting: ServeSetting,
        _ options: Options,
        _ environment: Environment
    ) throws(CommandFailure) {
        let given: (name: String, texts: [String])
        if let texts = options[setting.name] {
            given = ("--\(setting.name)", texts)
        } else if let found = try setting.texts(in: environment) {
            given = found
        } else {
            return
        }
        do throws(InvalidSetting) {
            try setting.set(&self, given.texts)
            origins[setting.name] = .name(given.name)
        } catch {
            throw .usage("\(given.name) \(error.reason)")
        }
    }

    /// The settings that do not go together, a line each.
    private var contradictions: [String] {
        var found: [String] = []
        func add(_ name: String, _ reason: String) { found.append(problem(name, reason)) }
        if certificate != nil, certificateKey == nil {
            add("tls-cert", "a certificate needs its key: --tls-key (FRESHET_TLS_KEY)")
        }
        if certificate == nil, certificateKey != nil {
            add("tls-key", "a key needs its certificate: --tls-cert (FRESHET_TLS_CERT)")
        }
        if limits.proxies.field == .proxyProtocol, limits.proxies.networks.isEmpty {
            add(
                "forwarded-field",
                "only connections of --trusted-proxies begin with a PROXY header: none are named"
            )
        }
        if mirrorOrigin == nil, mirrorKey != nil {
            add(
                "mirror-key",
                "does nothing without --mirror (FRESHET_MIRROR, mirror), the server to follow"
            )
        }
        if mirrorOrigin != nil, mirrorKey.map(KeyText.canBeSent) != true {
            add("mirror", "following takes a key of the server that is followed: --mirror-key")
        }
        if mirrorOrigin != nil, FeedStorage.isDatabase(data) {
            add(
                "data",
                "a mirror keeps feeds in a folder: --data takes no database beside --mirror"
            )
        }
        return found
    }

    /// The reasons why no server can start with these settings, a line each: files and folders that
    /// cannot be used.
    var problems: [String] {
        var found = [dataFolder.flatMap(FeedStorage.problem).map { problem("data", $0) }]
            .compactMap(\.self)
        if let publicFolder {
            do throws(SystemError) {
                _ = try Folder(path: publicFolder)
            } catch {
                found.append(problem("public", "\(publicFolder) cannot be read: \(error)"))
            }
        }
        if mirrorOrigin != nil, let mirrorAuthorities {
            do throws(CommandFailure) {
                try TrustOptions.checkAuthorities(mirrorAuthorities)
            } catch {
                found.append(error.message)
            }
        }
        do throws(CertificateError) {
            if let tls { _ = try TLSContext(tls) }
        } catch {
            found.append(problem(error))
        }
        return found
    }

    /// Returns the warnings about files that a server starts with all the same, and about settings
    /// without effect.
    func warnings(_ tls: TLSContext?) -> [String] {
        var warnings = (tls?.warnings ?? []) + [retentionWarning].compactMap(\.self)
        if let sourceFolder, (try? Folder(path: sourceFolder)) == nil {
            let reason = "\(sourceFolder) is no folder that can be read"
            warnings.append(problem("source-folder", reason))
        }
        return warnings
    }

    /// The warning that `keep-versions` has no effect; `nil` if it has one.
    var retentionWarning: String? {
        guard !contents.retention.isEmpty else { return nil }
        if mirrorOrigin != nil {
            return "keep-versions has no effect on a mirror: its origin keeps them"
        }
        return dataFolder == nil
            ? "keep-versions has no effect: feeds are kept in memory alone" : nil
    }

    /// Returns a line that says why the certificate or its key cannot be used.
    func problem(_ error: CertificateError) -> String {
        let isKey = error.file == certificateKey && certificateKey != certificate
        return problem(isKey ? "tls-key" : "tls-cert", "\(error)")
    }

    /// Returns a line that says what is wrong with a setting, and where it was given.
    func problem(_ name: String, _ reason: String) -> String {
        switch origins[name] {
        case nil: "\(name): \(reason)"
        case .name(let given)?: "\(given): \(reason)"
        case .file(let file, let place)?:
            ConfigurationIssue(place: place, path: name, reason: reason).line(file: file)
        }
    }
}

extension ServeSettings {
    /// The folder or the address of the database that keeps the feeds; nil for memory alone.
    var dataFolder: String? { data == "memory" ? nil : data }

    /// The folder that keeps the feeds; nil where a database does, or memory alone.
    var feedFolder: String? { dataFolder.flatMap { FeedStorage.isDatabase($0) ? nil : $0 } }

    /// Whether the storage of the feeds is the default folder.
    var hasDefaultData: Bool { origins["data"] == nil }

    /// The certificate's files; nil where connections are not encrypted.
    var tls: CertificateFiles? {
        guard let certificate, let certificateKey else { return nil }
        return CertificateFiles(certificate: certificate, key: certificateKey)
    }

    /// The bytes that all feeds may take; the rest of the memory is for connections and for work
    /// under way.
    var feedsByteLimit: Int { memoryByteLimit ?? MemorySize.byteCount / 8 * 5 }

    /// Whether the server is only for trying out on this machine.
    ///
    /// A server with the operator's keys is not: a proxy before it may pass on any host name.
    private var isForThisMachine: Bool {
        (servesDemo || hasMadeKey)
            && HostNames().includes(host: host.contains(":") ? "[\(host)]" : host)
    }

    /// The file, in the folder of the feeds, with the key that a server without keys generates;
    /// `nil`: the feeds are not stored in a folder.
    var madeKeyFile: String? { feedFolder.map { $0 + "/key" } }

    /// Whether there is a key for requests or for signing tokens.
    var hasKeys: Bool { !api.keys.isEmpty || !api.signingKeys.isEmpty }

    /// Takes a key that was made because the configuration has none.
    mutating func take(madeKey key: String) {
        api.keys = [AccessKey(key)]
        hasMadeKey = true
    }

    /// The configuration of the API.
    var apiConfiguration: APIConfiguration {
        var configuration = api
        if isForThisMachine { configuration.hostNames = HostNames(allowedHosts) }
        configuration.release = Freshet.version
        configuration.derivedFeeds = contents.derivedFeeds
        configuration.guards = contents.guards
        return configuration
    }
}
