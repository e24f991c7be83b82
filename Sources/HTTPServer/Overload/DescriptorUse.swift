import Glibc
import Synchronization

/// How many descriptors sockets and the files of answers use, against what the process may open.
///
/// There is one count, as there is one limit.
enum DescriptorUse {
    private static let sum = Atomic(0)

    /// Descriptors in use, those of the process's own not counted.
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

    /// Whether one more file may be opened for an answer: the last descriptors are for the rest.
    static var hasRoomForFile: Bool { count < limit - max(32, limit / 40) }
}
