import Glibc
import Synchronization

/// The process's descriptors in use by sockets and by files that are sent.
///
/// The count is for the whole process, as its limit is.
enum DescriptorUse {
    private static let sum = Atomic(0)

    /// The number of descriptors in use by sockets and files.
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

    /// Whether a file may be opened for a response: the last descriptors are kept for other uses.
    static var hasRoomForFile: Bool { count < limit - max(32, limit / 40) }
}
