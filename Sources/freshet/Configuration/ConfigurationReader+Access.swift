import FeedAPI
import FeedModel
import Foundation
import Yams

/// Keys and their rights.
extension ConfigurationReader {
    private static let keyNames = ["name", "digest", "read", "write", "follow", "admin"]

    mutating func readKeys(_ node: Node) {
        guard let list = elements(node, "keys", of: "keys") else { return }
        var digests: [SHA256Digest: String] = [:]
        var names: [String: String] = [:]
        for (node, path) in list {
            guard let entries = entries(node, path, known: Self.keyNames) else { continue }
            let found = self.digests(entries["digest"], path, node.mark)
            let name = entries["name"].flatMap { self.name($0, path + ".name", "at most 256") }
            let read = feeds(of: "read", entries, path)
            let write = feeds(of: "write", entries, path)
            let follow = feeds(of: "follow", entries, path)
            let isAdmin = value(Setting<Bool>.flag("admin"), entries, in: path) ?? false
            if entries["read"] == nil, entries["write"] == nil, entries["follow"] == nil, !isAdmin {
                report(node.mark, path, "may do nothing; give it read, write, follow or admin")
            }
            if let name, let first = names.updateValue(path, forKey: name) {
                report(entries["name"]?.mark, path + ".name", "is also the name of \(first)")
            }
            warn(entries, path, read: read, write: write)
            // With a name, the owner stays the same when the first key is replaced.
            let owner = name.map { SHA256Digest(of: "name \($0)".utf8.span) }
            for one in found {
                if let first = digests.updateValue(path, forKey: one.digest) {
                    report(one.mark, path + ".digest", "is also that of \(first)")
                }
                let key = AccessKey(
                    digest: one.digest,
                    ownDigest: owner ?? found.first?.digest,
                    until: one.until,
                    name: name,
                    read: read,
                    write: write,
                    follow: follow,
                    isAdmin: isAdmin
                )
                file.settings.api.keys.append(key)
            }
        }
    }

    /// Warns of rights that add nothing to others.
    private mutating func warn(
        _ entries: Entries,
        _ path: String,
        read: [FeedPattern],
        write: [FeedPattern]
    ) {
        let mark = entries["read"]?.mark
        if let pattern = read.first(where: write.contains) {
            let reason = "write includes reading \"\(pattern.text)\" already"
            report(mark, path + ".read", reason, isWarning: true)
        } else if !read.isEmpty, file.settings.api.openFeeds.contains(where: \.isAll) {
            report(mark, path + ".read", "everyone may read every feed already", isWarning: true)
        }
    }

    mutating func digest(_ node: Node, _ path: String) -> SHA256Digest? {
        guard let text = text(node, path) else { return nil }
        guard let digest = [UInt8](hexadecimal: text).flatMap({ SHA256Digest($0) }) else {
            report(node.mark, path, "must be 64 hex digits, the SHA-256 of the key")
            return nil
        }
        guard !Self.digestsOfNothing.contains(digest) else {
            let reason = "is no key's digest, but that of nothing or an empty line, or all zeros"
            report(node.mark, path, reason)
            return nil
        }
        return digest
    }

    /// The digests of an empty text and of a line feed, which a command makes where the key was
    /// left out, and the placeholder for a digest that is still to be put in.
    private static let digestsOfNothing = [
        SHA256Digest(of: [UInt8]().span), SHA256Digest(of: [UInt8(ascii: "\n")].span),
        SHA256Digest([UInt8](repeating: 0, count: SHA256Digest.byteCount)),
    ]

    /// Reads the feeds of a right, such as `read`.
    mutating func feeds(of right: String, _ entries: Entries, _ path: String) -> [FeedPattern] {
        entries[right].flatMap { patterns($0, member(path, right)) } ?? []
    }

    /// Reads a list of feeds, or a single feed.
    ///
    /// - Parameter isOrdered: Whether the order of the feeds has a meaning, so that others can
    ///   stand beside "*".
    mutating func patterns(
        _ node: Node,
        _ path: String,
        isOrdered: Bool = false
    ) -> [FeedPattern]? {
        guard node.scalar == nil else { return pattern(node, path).map { [$0] } }
        guard let list = elements(node, path, of: "feeds") else { return nil }
        if list.isEmpty { report(node.mark, path, "names no feed") }
        var patterns: [FeedPattern] = []
        for (node, path) in list {
            guard let pattern = pattern(node, path) else { continue }
            if patterns.contains(pattern) {
                report(node.mark, path, "\"\(pattern.text)\" is there twice")
            } else {
                patterns.append(pattern)
            }
        }
        if !isOrdered, list.count > 1, patterns.contains(where: \.isAll) {
            report(node.mark, path, "\"*\" names all feeds; what else stands there says otherwise")
        }
        return patterns
    }

    private mutating func pattern(_ node: Node, _ path: String) -> FeedPattern? {
        let form = "a feed's name, in which * may stand for any run of characters"
        let setting = Setting<FeedPattern>("feed", form) { text in
            FeedPattern(text).flatMap { $0.canName ? $0 : nil }
        }
        return value(setting, node, path)
    }

    mutating func openFeeds(_ node: Node, _ name: String = "open-feeds") -> [FeedPattern]? {
        guard let scalar = node.scalar else { return patterns(node, name) }
        switch scalar.string {
        case "all": return [.all]
        case "none": return []
        default:
            report(node.mark, name, "must be all, none, or a list of feeds")
            return nil
        }
    }
}

/// Reads the digests of keys.
extension ConfigurationReader {
    /// A digest of a key.
    struct KeyDigest {
        let digest: SHA256Digest
        /// The time from which the key is not known any more, in seconds since 1970.
        let until: Double?
        let mark: Mark?
    }

    /// Reads an owner's digest, or several: the new key's, and the old key's with the time of its
    /// end.
    mutating func digests(_ node: Node?, _ path: String, _ mark: Mark?) -> [KeyDigest] {
        guard let node else {
            report(mark, path, "has no digest; \"freshet key\" prints one")
            return []
        }
        let path = path + ".digest"
        guard node.scalar == nil else {
            return digestEntry(node, path).map { [$0] } ?? []
        }
        guard let list = elements(node, path, of: "digests") else { return [] }
        if list.isEmpty { report(node.mark, path, "has no digest; \"freshet key\" prints one") }
        let found = list.compactMap { digestEntry($0, $1) }
        if list.count == found.count, !found.isEmpty, found.allSatisfy({ $0.until != nil }) {
            report(node.mark, path, "every digest has an until: the key would end")
        }
        return found
    }

    /// Reads a digest alone, or one with the time of its end.
    private mutating func digestEntry(_ node: Node, _ path: String) -> KeyDigest? {
        guard node.scalar == nil else {
            return digest(node, path).map { KeyDigest(digest: $0, until: nil, mark: node.mark) }
        }
        guard let entries = entries(node, path, known: ["digest", "until"]) else { return nil }
        guard let digestNode = entries["digest"] else {
            report(node.mark, path, "has no digest; \"freshet key\" prints one")
            return nil
        }
        let digest = digest(digestNode, path + ".digest")
        let end = entries["until"].flatMap { time($0, path + ".until") }
        guard let digest, entries["until"] == nil || end != nil else { return nil }
        if let end, end <= Date().timeIntervalSince1970 {
            report(
                entries["until"]?.mark,
                path + ".until",
                "is over: this digest can be taken out",
                isWarning: true
            )
        }
        return KeyDigest(digest: digest, until: end, mark: digestNode.mark)
    }

    /// Reads a time of RFC 3339.
    private mutating func time(_ node: Node, _ path: String) -> Double? {
        let setting = Setting<Date>("until", "a time such as 2027-01-31T12:00:00Z") {
            try? Date($0, strategy: .iso8601)
        }
        return value(setting, node, path)?.timeIntervalSince1970
    }
}
