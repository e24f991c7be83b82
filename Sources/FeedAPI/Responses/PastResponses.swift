import FeedModel
import FeedStore

/// The responses about a few past versions that somebody asked for of late: what is asked for often
/// is made once.
struct PastResponses {
    /// The one that was asked for last at the end.
    private var kept: [VersionResponses] = []

    private static let countLimit = 16

    /// The responses about a version.
    mutating func responses(
        for version: Version,
        make: () -> VersionResponses
    ) -> VersionResponses {
        let index = kept.firstIndex { $0.token == version.token && $0.feed == version.feed }
        let found = index.map { kept.remove(at: $0) } ?? make()
        kept.append(found)
        if kept.count > PastResponses.countLimit { kept.removeFirst() }
        return found
    }

    /// Forgets those that were asked for longest ago, until the rest takes at most so many bytes.
    mutating func trim(to byteLimit: Int, keeping last: VersionResponses) {
        var sum = kept.reduce(0) { $0 + $1.byteCount }
        while sum > byteLimit, let first = kept.first, first !== last {
            sum -= first.byteCount
            kept.removeFirst()
        }
    }
}
