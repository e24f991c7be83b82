import CLoad

/// The keys of many readers, and their lines in a server's configuration.
struct ReaderKeys {
    let all: [String]

    init(_ count: Int) {
        all = (0..<count).map { "reader-\($0)-of-everyday-feeds-\(String($0 * 7919, radix: 36))" }
    }

    /// Returns lines for a configuration file in which each key may read all feeds.
    func configuration(isClosed: Bool) -> String {
        let entries = all.enumerated().map { number, key in
            "  - {name: reader-\(number), digest: \(ReaderKeys.digest(key)), read: [\"*\"]}\n"
        }
        return "open-feeds: \(isClosed ? "none" : "all")\nkeys:\n" + entries.joined()
    }

    private static func digest(_ key: String) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        load_digest(key, key.utf8.count, &digest)
        return digest.map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
