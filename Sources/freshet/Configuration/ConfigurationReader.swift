import FeedAPI
import FeedFormats
import HTTPServer
import HTTPWire
import Yams

/// Reads a configuration file; it goes on after a mistake, so that all of them are reported at
/// once.
struct ConfigurationReader {
    var file = ConfigurationFile()
    private(set) var issues: [ConfigurationIssue] = []

    /// The settings of a mapping by their names.
    typealias Entries = [String: Node]

    /// The names at the top of the file: of settings, and of mappings that hold settings.
    static let names = ServeSetting.all.filter { $0.read != nil }.reduce(into: [String]()) {
        let name = $1.group ?? $1.name
        if !$0.contains(name) { $0.append(name) }
    }

    /// Reads a whole file.
    mutating func read(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            report(nil, "", "is not UTF-8")
            return
        }
        // Some editors on Windows begin a file with a byte order mark.
        let yaml = text.first == "\u{feff}" ? String(text.dropFirst()) : text
        do {
            let parser = try Parser(yaml: yaml, encoding: .utf8)
            guard let root = try parser.singleRoot(), !root.isEmpty else { return }
            readRoot(root)
        } catch let error as YamlError {
            issues.append(ConfigurationIssue(error, in: yaml))
        } catch {
            report(nil, "", "cannot be read: \(error)")
        }
    }

    private mutating func readRoot(_ root: Node) {
        guard let entries = entries(root, "", known: ConfigurationReader.names) else { return }
        var groups: [String: Entries] = [:]
        for setting in ServeSetting.all {
            guard let read = setting.read, let top = entries[setting.group ?? setting.name] else {
                continue
            }
            var node: Node? = top
            if let group = setting.group {
                let members = groups[group] ?? members(top, of: group)
                groups[group] = members
                node = members[setting.ownName]
            }
            guard let node else { continue }
            file.places[setting.name] = node.mark.map { ConfigurationIssue.Place($0) }
            read(&self, node)
        }
        checkHead()
    }

    /// Returns the settings of a mapping such as `limits`; unknown ones are reported.
    private mutating func members(_ node: Node, of group: String) -> Entries {
        let known = ServeSetting.all.filter { $0.group == group }.map(\.ownName)
        return entries(node, group, known: known) ?? [:]
    }

    /// Reports a limit on request targets that is not below the limit on heads, because a head
    /// contains its target.
    private mutating func checkHead() {
        let limits = file.settings.limits.head
        guard limits.targetByteLimit >= limits.headByteLimit else { return }
        let names = ["limits.target-size", "limits.head-size"]
        guard let name = names.first(where: { file.places[$0] != nil }) else { return }
        let sizes = "\(ByteCountText.text(limits.targetByteLimit)) does not fit into a head"
        let reason = "a target of \(sizes) of \(ByteCountText.text(limits.headByteLimit))"
        issues.append(ConfigurationIssue(place: file.places[name], path: name, reason: reason))
    }
}

/// Reports mistakes and reads values, for all parts of the file.
extension ConfigurationReader {
    mutating func report(_ mark: Mark?, _ path: String, _ reason: String, isWarning: Bool = false) {
        let place = mark.map { ConfigurationIssue.Place($0) }
        issues.append(
            ConfigurationIssue(place: place, path: path, reason: reason, isWarning: isWarning)
        )
    }

    /// Returns the settings of a mapping by name; unknown ones are reported, and so is a node that
    /// is no mapping, which has nil.
    mutating func entries(_ node: Node, _ path: String, known: [String]) -> Entries? {
        guard let list = pairs(node, path, of: "settings, each as \"name: value\"") else {
            return nil
        }
        var entries = Entries()
        for (key, name, value) in list {
            if known.contains(name) {
                entries[name] = value
            } else {
                let nearest = name.nearest(among: known)
                let hint =
                    nearest.map { "; \($0) is meant?" }
                    ?? (known.count < 7 ? "; there are \(known.joined(separator: ", "))" : "")
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
        return value(setting, node, member(path, setting.name))
    }

    /// Returns the value of a setting that a node holds; a mistake in the value is reported.
    mutating func value<Value>(_ setting: Setting<Value>, _ node: Node, _ path: String) -> Value? {
        guard let text = text(node, path, form: setting.form) else { return nil }
        if setting.mayBeSecret, Self.hasSecret(text) { file.hasSecrets = true }
        do throws(InvalidSetting) {
            return try setting.value(text)
        } catch {
            report(node.mark, path, error.reason)
            return nil
        }
    }

    /// Returns whether an address has a password, or a name that may be a key; the name of a
    /// database's user is none.
    private static func hasSecret(_ address: String) -> Bool {
        guard FeedStorage.isDatabase(address) else {
            return WebAddress.withoutUserInfo(address) != address
        }
        let server = address.split(separator: "/").dropFirst().first ?? ""
        let user = server.firstIndex(of: "@").map { server[..<$0] }
        return user?.contains(":") == true || address.contains("password=")
    }

    /// Returns the text of a scalar as written, whatever type YAML would give it.
    mutating func text(_ node: Node, _ path: String, form: String? = nil) -> String? {
        guard let scalar = node.scalar else {
            report(node.mark, path, "must be one value" + (form.map { ": \($0)" } ?? ""))
            return nil
        }
        guard !node.isEmpty else {
            report(node.mark, path, "has no value")
            return nil
        }
        return scalar.string
    }

    /// Returns a name, which has at most 256 bytes and no control characters; `size` states the
    /// allowed number of bytes in messages.
    mutating func name(_ node: Node, _ path: String, _ size: String) -> String? {
        guard let text = text(node, path) else { return nil }
        let isPlain = text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isPlain, text.utf8.count <= 256 else {
            report(node.mark, path, "must be \(size) bytes without control characters")
            return nil
        }
        return text
    }

    /// Returns the keys of a mapping, the names that they are, and their values.
    mutating func pairs(
        _ node: Node,
        _ path: String,
        of what: String
    ) -> [(key: Node, name: String, value: Node)]? {
        guard case .mapping(let mapping) = node else {
            report(node.mark, path, "must be \(what)")
            return nil
        }
        return mapping.map { ($0.key, $0.key.scalar?.string ?? "?", $0.value) }
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

extension ConfigurationIssue.Place {
    init(_ mark: Mark) {
        self.init(line: mark.line, column: mark.column)
    }
}

extension Node {
    /// Whether the node has no value: an empty one, `~` or `null`.
    var isEmpty: Bool {
        guard let scalar, scalar.style == .plain || scalar.string.isEmpty else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }
}
