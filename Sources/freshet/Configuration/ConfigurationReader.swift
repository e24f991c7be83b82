import FeedAPI
import Yams

/// Reads a configuration file; it goes on after a mistake, so that all of them are reported at
/// once.
struct ConfigurationReader {
    var file = ConfigurationFile()
    private(set) var issues: [ConfigurationIssue] = []

    /// The settings of a mapping by their names.
    typealias Entries = [String: Node]

    /// The settings that are options and variables as well.
    static let settingNames = [
        ServeSetting.host.name, ServeSetting.port.name, ServeSetting.publicFolder.name,
        ServeSetting.certificate.name, ServeSetting.certificateKey.name,
        ServeSetting.loops.name, ServeSetting.demo.name, ServeSetting.history.name,
        ServeSetting.memoryLimit.name, ServeSetting.data.name, ServeSetting.staleAfter.name,
        ServeSetting.logFormat.name, ServeSetting.logLevel.name, ServeSetting.accessLog.name,
        ServeSetting.admin.name, ServeSetting.mirror.name, ServeSetting.mirrorKey.name,
        ServeSetting.publishURL.name, ServeSetting.trustedProxies.name,
        ServeSetting.forwardedField.name,
    ]

    /// The settings of the file itself.
    static let names =
        settingNames + [
            "mirror-feeds", "keys", "signing-keys", "open-feeds", "allowed-origins", "allowed-headers", "limits",
            "rate-limits", "feeds", ServeSetting.publicURL.name, ServeSetting.entryBase.name,
            ServeSetting.sourceFolder.name,
        ]

    /// Reads a whole file.
    mutating func read(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            report(nil, "", "is not UTF-8")
            return
        }
        do {
            // Some editors on Windows begin a file with a byte order mark.
            let yaml = text.first == "\u{feff}" ? String(text.dropFirst()) : text
            let parser = try Parser(yaml: yaml, encoding: .utf8)
            guard let root = try parser.singleRoot(), !root.isEmpty else { return }
            readRoot(root)
        } catch let error as YamlError {
            issues.append(ConfigurationIssue(error))
        } catch {
            report(nil, "", "cannot be read: \(error)")
        }
    }

    private mutating func readRoot(_ root: Node) {
        guard let entries = entries(root, "", known: ConfigurationReader.names) else { return }
        file.host = value(ServeSetting.host, entries)
        file.port = value(ServeSetting.port, entries)
        file.admin = value(ServeSetting.admin, entries)
        file.publicFolder = value(ServeSetting.publicFolder, entries)
        file.certificate = value(ServeSetting.certificate, entries)
        file.certificateKey = value(ServeSetting.certificateKey, entries)
        file.loops = value(ServeSetting.loops, entries)
        file.servesDemo = value(ServeSetting.demo, entries)
        file.historyByteLimit = value(ServeSetting.history, entries)
        file.memoryByteLimit = value(ServeSetting.memoryLimit, entries)
        file.logFormat = value(ServeSetting.logFormat, entries)
        file.logLevel = value(ServeSetting.logLevel, entries)
        file.writesAccessLog = value(ServeSetting.accessLog, entries)
        file.dataFolder = value(ServeSetting.data, entries)
        file.staleTime = value(ServeSetting.staleAfter, entries)
        file.mirror = value(ServeSetting.mirror, entries)
        file.mirrorKey = value(ServeSetting.mirrorKey, entries)
        file.publishURL = value(ServeSetting.publishURL, entries)
        if let node = entries["mirror-feeds"] { file.mirrorFeeds = openFeeds(node, "mirror-feeds") }
        file.publicURL = value(ServeSetting.publicURL, entries)
        file.entryBase = value(ServeSetting.entryBase, entries)
        file.sourceFolder = value(ServeSetting.sourceFolder, entries)
        file.trustedProxies = value(ServeSetting.trustedProxies, entries)
        file.forwardedField = value(ServeSetting.forwardedField, entries)
        if let node = entries["open-feeds"] { file.openFeeds = openFeeds(node) }
        if let node = entries["allowed-origins"] { file.origins = origins(node) }
        if let node = entries["allowed-headers"] { file.allowedFields = allowedFields(node) }
        if let node = entries["limits"] { readLimits(node) }
        if let node = entries["rate-limits"] { readRateLimits(node) }
        if let node = entries["keys"] { readKeys(node) }
        if let node = entries["feeds"] { readFeeds(node) }
        if let node = entries["signing-keys"] { readSigningKeys(node) }
    }
}

/// The functions that read every part of the file.
extension ConfigurationReader {
    mutating func report(_ mark: Mark?, _ path: String, _ reason: String, isWarning: Bool = false) {
        let place = mark.map { ConfigurationIssue.Place(line: $0.line, column: $0.column) }
        issues.append(
            ConfigurationIssue(place: place, path: path, reason: reason, isWarning: isWarning)
        )
    }

    /// Returns the settings of a mapping; unknown settings are reported.
    ///
    /// - Returns: The settings by name; nil when the node is no mapping, which is reported too.
    mutating func entries(_ node: Node, _ path: String, known: [String]) -> Entries? {
        guard case .mapping(let mapping) = node else {
            report(node.mark, path, "must be settings, each as \"name: value\"")
            return nil
        }
        var entries = Entries()
        for (key, value) in mapping {
            let name = key.scalar?.string ?? "?"
            if known.contains(name) {
                entries[name] = value
            } else {
                let nearest = Suggestion.nearest(to: name, among: known)
                let hint = nearest.map { "; \($0) is meant?" } ?? ""
                report(key.mark, member(path, name), "no such setting" + hint)
            }
        }
        return entries
    }

    /// Returns the value of a setting; a mistake in the value is reported.
    mutating func value<Value>(
        _ setting: Setting<Value>,
        _ entries: Entries,
        in path: String = ""
    ) -> Value? {
        guard let node = entries[setting.name] else { return nil }
        let path = member(path, setting.name)
        guard let text = text(node, path) else { return nil }
        do {
            return try setting.value(text)
        } catch {
            report(node.mark, path, error.reason)
            return nil
        }
    }

    /// Returns the text of a scalar as written, whatever type YAML would give it.
    mutating func text(_ node: Node, _ path: String) -> String? {
        guard let scalar = node.scalar else {
            report(node.mark, path, "must be one value")
            return nil
        }
        guard !node.isEmpty else {
            report(node.mark, path, "has no value")
            return nil
        }
        return scalar.string
    }

    /// Returns the elements of a list with their paths.
    mutating func elements(_ node: Node, _ path: String, of what: String) -> [(Node, String)]? {
        guard case .sequence(let list) = node else {
            report(node.mark, path, "must be a list of \(what)")
            return nil
        }
        return list.enumerated().map { ($1, "\(path)[\($0)]") }
    }

    func member(_ path: String, _ name: String) -> String {
        path.isEmpty ? name : "\(path).\(name)"
    }
}

extension Node {
    /// Whether the node has no value: an empty one, `~` or `null`.
    fileprivate var isEmpty: Bool {
        guard let scalar, scalar.style == .plain || scalar.string.isEmpty else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }
}

extension ConfigurationIssue {
    /// Makes an issue of an error that the YAML parser found.
    fileprivate init(_ error: YamlError) {
        switch error {
        case .scanner(let context, let problem, let mark, _),
            .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            self.init(
                place: Place(line: mark.line, column: mark.column),
                path: "",
                reason: [context?.text, problem].compactMap(\.self).joined(separator: ", ")
            )
        case .duplicatedKeysInMapping(let names, let context):
            self.init(
                place: Place(line: context.mark.line, column: context.mark.column),
                path: names.joined(separator: ", "),
                reason: "is there more than once"
            )
        case .reader(let problem, _, _, _):
            self.init(place: nil, path: "", reason: problem)
        default:
            self.init(place: nil, path: "", reason: "\(error)")
        }
    }
}
