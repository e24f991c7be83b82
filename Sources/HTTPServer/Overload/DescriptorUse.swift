import Glibc
import Synchronization

/// Counts the descriptors that connections and files being sent use.
///
/// The open-file limit holds for the process, so all servers in the process share the count. Other
/// descriptors are not counted.
enum DescriptorUse {
    private static let sum = Atomic(0)

    /// The number of descriptors in use by connections and files.
    static var count: Int { sum.load(ordering: .relaxed) }

    static func opened() {
        sum.add(1, ordering: .relaxed)
    }

    static func closed() {
        sum.subtract(1, ordering: .relaxed)
    }

    /// The process's open-file limit (RLIMIT_NOFILE); 1024 if it cannot be read.
    static let limit: Int = {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1024
        }
        return Int(clamping: limit.rlim_cur)
    }()

    /// Whether a file may be opened for a response.
    ///
    /// The last fortieth of the limit, at least 32 descriptors, is reserved for other uses.
    static var hasRoomForFile: Bool { count < limit - max(32, limit / 40) }
}
