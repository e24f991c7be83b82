import FeedModel
import Foundation

/// The state of a kept feed beside its content, in a file of its own: whether it was read
/// with a key, and since when the server has not had it.
extension FeedCache {
    /// The state of a kept feed.
    struct State: Equatable {
        /// Whether the last answer depended on a key.
        var isPrivate: Bool
        /// Since when the server has not had the feed, in seconds since 1970; `nil`: it has it.
        var missingSince: Int?
    }

    /// Keeps the state of a feed, or removes it where nothing is known.
    ///
    /// - Parameters:
    ///   - copy: The feed.
    ///   - key: Which feed it is.
    ///   - known: The state that is kept already, as far as that is known.
    /// - Returns: The state that is kept then; `nil`: none, or not known.
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
            // One that is wrong would be worse than none.
            try? FileManager.default.removeItem(at: stateURL(of: key))
            return nil
        }
        return state
    }

    /// Returns the copy as its state allows it to be shown.
    ///
    /// - Returns: `nil` for one that was read with another key, or of a feed that has been gone for
    ///   too long: it is removed.
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

    /// Whether a private feed was read by the same key.
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
