import Foundation
import Yams

/// The digests of keys.
extension ConfigurationReader {
    /// A digest of a key.
    struct KeyDigest {
        let digest: [UInt8]
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
            return digest(node, path).map { [KeyDigest(digest: $0, until: nil, mark: node.mark)] }
                ?? []
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
        guard let text = text(node, path) else { return nil }
        if let date = try? Date(text, strategy: .iso8601) { return date.timeIntervalSince1970 }
        report(node.mark, path, "must be a time such as 2027-01-31T12:00:00Z")
        return nil
    }
}
