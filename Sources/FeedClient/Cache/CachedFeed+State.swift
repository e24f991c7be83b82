import FeedModel
import Foundation

/// The state of a cached feed beside its content, in a file of its own: whether the feed was read
/// with a key, and since when it is missing on the server.
extension CachedFeed {
    /// The state of a cached feed.
    struct State: Equatable {
        /// The access of the last response: ``open``, or ``CachedFeed/privateAccess`` if the
        /// response depended on the key.
        var access: String
        /// The time since when the feed is missing on the server, in seconds since 1970; `nil`: it
        /// is there.
        var missingSince: Int?

        static let open = "open"
    }

    private var privateAccess: String { "private \(owner)" }

    private var stateHeader: String { "state of " + header }

    /// Writes the state of a feed, or removes its file if the state is unknown.
    func keepState(of copy: FeedCopy) {
        guard copy.token != nil || copy.missingSince != nil, let isPrivate = copy.isPrivate else {
            return removeState()
        }
        let since = copy.missingSince.map { Int($0.timeIntervalSince1970) }
        let access = isPrivate ? privateAccess : State.open
        let new = State(access: access, missingSince: since)
        guard new != state else { return }
        let lines = "\(access)\n\(since.map(String.init) ?? "current")\n"
        do {
            try write(Data((stateHeader + lines).utf8), to: .state)
            state = new
        } catch {
            // A wrong state would be worse than none.
            removeState()
        }
    }

    private func removeState() {
        remove(.state)
        state = nil
    }

    /// Applies the state of the feed to a copy that was read.
    ///
    /// - Returns: The copy; `nil` if it was read with another key, or the feed has been missing for
    ///   too long. The files are then removed.
    func allowed(_ copy: FeedCopy) -> FeedCopy? {
        var copy = copy
        guard let state = readState() else { return copy }
        let isPrivate = state.access != State.open
        copy.isPrivate = isPrivate
        if let since = state.missingSince {
            copy.markMissing(since: Date(timeIntervalSince1970: Double(since)))
        }
        let isGone = copy.isOutdated(at: Date()) || isPrivate && copy.isMissing
        guard !isGone, !isPrivate || state.access == privateAccess else {
            removeAll()
            return nil
        }
        return copy
    }

    private func readState() -> State? {
        guard let bytes = try? Data(contentsOf: url(.state)), bytes.count < 64 << 10 else {
            return nil
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(stateHeader), text.hasSuffix("\n") else { return nil }
        let lines = text.dropFirst(stateHeader.count).split(separator: "\n")
        guard lines.count == 2 else { return nil }
        return State(access: String(lines[0]), missingSince: Int(lines[1]))
    }
}
