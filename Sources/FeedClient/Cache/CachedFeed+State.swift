import FeedModel
import Foundation

/// The state of a cached feed beside its content, in a file of its own: whether the feed was read
/// with a key, and since when it is missing on the server.
extension FeedCache {
    /// The state of a cached feed.
    struct State: Equatable {
        /// Whether the last response depended on the key.
        var isPrivate: Bool
        /// The time since when the feed is missing on the server, in seconds since 1970; `nil`: it
        /// is there.
        var missingSince: Int?
    }

    /// Writes the state of a feed, or removes its file if the state is unknown.
    ///
    /// - Parameters:
    ///   - copy: The feed.
    ///   - key: The key of the feed's file.
    ///   - known: The state in the file; `nil`: unknown.
    /// - Returns: The state in the file afterwards; `nil`: none, or unknown.
    func keepState(of copy: FeedCopy, as key: Key, over known: State?) -> State? {
        guard copy.token != nil || copy.missingSince != nil, let isPrivate = copy.isPrivate else {
            try? FileManager.default.removeItem(at: stateURL(of: key))
            return nil
        }
        let since = copy.missingSince.map { Int($0.timeIntervalSince1970) }
        let state = State(isPrivate: isPrivate, missingSince: since)
        guard state != known else { return state }
        let words = [
            isPrivate ? "private \(key.owner)" : "open", since.map(String.init) ?? "current",
        ]
        let bytes = Data((key.stateHeader + words.joined(separator: "\n") + "\n").utf8)
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        do {
            try bytes.write(to: stateURL(of: key), options: FeedCache.writingOptions)
        } catch {
            // A wrong state would be worse than none.
            try? FileManager.default.removeItem(at: stateURL(of: key))
            return nil
        }
        return state
    }

    /// Applies the state of a feed to a copy that was read.
    ///
    /// - Returns: The copy; `nil` if it was read with another key, or the feed has been missing for
    ///   too long. The files are then removed.
    func allowed(_ copy: FeedCopy, as key: Key) -> FeedCopy? {
        var copy = copy
        guard let state = state(of: key) else { return copy }
        copy.isPrivate = state.isPrivate
        if let since = state.missingSince {
            copy.markMissing(since: Date(timeIntervalSince1970: Double(since)))
        }
        let isGone = copy.isOutdated(at: Date()) || state.isPrivate && copy.isMissing
        guard !isGone, !state.isPrivate || isOwner(key) else {
            remove(key)
            return nil
        }
        return copy
    }

    private func lines(of key: Key) -> [Substring]? {
        guard let bytes = try? Data(contentsOf: stateURL(of: key)), bytes.count < 64 << 10 else {
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(key.stateHeader), text.hasSuffix("\n") else { return nil }
        let lines = text.dropFirst(key.stateHeader.count).split(separator: "\n")
        return lines.count == 2 ? lines : nil
    }

    private func state(of key: Key) -> State? {
        guard let lines = lines(of: key) else { return nil }
        let isPrivate = lines[0] != "open"
        return State(isPrivate: isPrivate, missingSince: Int(lines[1]))
    }

    /// Whether a private feed was read with the same key.
    private func isOwner(_ key: Key) -> Bool {
        lines(of: key).map { $0[0] == "private \(key.owner)" } ?? false
    }

    func stateURL(of key: Key) -> URL {
        directory.appendingPathComponent(key.stateName, isDirectory: false)
    }
}

extension FeedCache.Key {
    fileprivate var stateHeader: String { "state of " + header }

    /// The name of the file with the state.
    var stateName: String { String(fileName.dropLast(5)) + ".state.feed" }
}
