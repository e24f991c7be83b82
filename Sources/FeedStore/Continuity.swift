import FeedModel
import Synchronization

/// Chooses the version that follows another one, so that the number of a lost version is never used
/// again for other content (docs/PROTOCOL.md, "One validator for everything").
///
/// An older copy of the data may be restored unnoticed: a saved folder, the snapshot of a volume or
/// of a virtual machine, a backup of the database. Readers may then have later versions than the
/// server. A break is a moment from which on this may be so: the start of the server, a new
/// connection to a database, or a jump of the clock. After each break, the first new version of a
/// feed is numbered by the time of day, in milliseconds since 2020, which is past every number that
/// was lost.
final class Continuity: Sendable {
    /// The ``VersionNumber`` of the last break: a version with a number up to it was made before
    /// the break.
    private let lastBreak = Atomic(0)
    /// The time of day minus the monotonic time at the last check, in seconds.
    private let offset: Mutex<Double>

    /// The most seconds by which the time of day may change against the monotonic time.
    private static let tolerance = 10.0
    /// The seconds from 1970 to 2020.
    private static let origin = 1_577_836_800.0
    /// The largest random step from the number of the last version.
    private static let stepLimit = 1 << 20

    init(_ clock: FeedStore.Clock) {
        offset = Mutex(Continuity.offset(clock))
    }

    /// Records that versions may have been lost: at the server's start, and with each new
    /// connection to a database.
    func noteBreak() {
        lastBreak.store(VersionNumber.next(), ordering: .sequentiallyConsistent)
    }

    /// Returns the version that is to follow `previous`, with its number (``VersionNumber``).
    ///
    /// The number is drawn before the last break is looked up, so a journal that connects anew
    /// meanwhile can tell by it that the version is late.
    ///
    /// - Parameters:
    ///   - previous: The version before; `nil`: the feed is new.
    ///   - clock: The time of day and the monotonic time. A jump of one against the other is a
    ///     break: a virtual machine that is resumed with its memory notices nothing else.
    func next(
        after previous: Version?,
        _ clock: FeedStore.Clock
    ) -> (version: Int, number: Int) {
        noteJump(clock)
        let number = VersionNumber.next()
        guard let previous else { return (1, number) }
        let last = previous.token.version
        guard previous.number <= lastBreak.load(ordering: .sequentiallyConsistent) else {
            return (last + 1, number)
        }
        let milliseconds = (clock.wall() - Continuity.origin) * 1000
        let time = Int(exactly: milliseconds.rounded(.down)) ?? 0
        return (max(last + Int.random(in: 1...Continuity.stepLimit), time), number)
    }

    private func noteJump(_ clock: FeedStore.Clock) {
        let now = Continuity.offset(clock)
        let hasJumped = offset.withLock { offset in
            defer { offset = now }
            return abs(now - offset) > Continuity.tolerance
        }
        if hasJumped { noteBreak() }
    }

    private static func offset(_ clock: FeedStore.Clock) -> Double {
        clock.wall() - clock.now() / .seconds(1)
    }
}
