import FeedModel

/// The patterns of feeds that a stream follows.
struct FollowedPatterns: Sendable {
    private let patterns: [FeedPattern]
    /// How many names are held against them before others have their turn.
    let namesPerTurn: Int

    /// Bytes of patterns that names are held against in a turn: some tenths of a millisecond.
    private static let bytesPerTurn = 64 << 10
    private static let countLimit = 1024

    init(_ patterns: [FeedPattern]) {
        self.patterns = patterns
        let byteCount = patterns.reduce(0) { $0 + $1.text.utf8.count + 16 }
        namesPerTurn = min(
            FollowedPatterns.countLimit,
            max(1, FollowedPatterns.bytesPerTurn / max(1, byteCount))
        )
    }

    var isEmpty: Bool { patterns.isEmpty }

    func include(_ name: FeedName) -> Bool { patterns.names(name.rawValue.utf8.span) }
}
