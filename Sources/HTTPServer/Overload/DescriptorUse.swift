import Glibc
import Synchronization

/// The number of descriptors used by sockets and by files of answers, and the limit for the
/// process.
///
/// There is one count for the process, because the limit is for the process.
enum DescriptorUse {
    private static let sum = Atomic(0)

    /// The descriptors in use, without the process's other ones.
    static var count: Int { sum.load(ordering: .relaxed) }

    static func opened() {
        sum.add(1, ordering: .relaxed)
    }

    static func closed() {
        sum.subtract(1, ordering: .relaxed)
    }

    /// The open-file limit (RLIMIT_NOFILE).
    static let limit: Int = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1024
        }
        return Int(clamping: limit.rlim_cur)
    }()

    /// Whether one more file may be opened for an answer: the last descriptors are for other uses.
    static var hasRoomForFile: Bool { count < limit - max(32, limit / 40) }
}
