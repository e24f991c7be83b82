import FeedAPI
import Foundation
import Glibc

/// The metrics that Prometheus clients usually have about their process, by the usual names.
enum ProcessMetrics {
    /// All metrics of the process, except for values that the system does not tell.
    static var families: [MetricFamily] {
        var build = MetricFamily("freshet_build_info", .gauge, "The version of the server")
        build.add(1, ["version": Freshet.version])
        let values: [(String, MetricFamily.Kind, String, Double?)] = [
            (
                "process_start_time_seconds", .gauge,
                "When the process began, in seconds since 1970", start
            ),
            ("process_cpu_seconds", .counter, "Processor time of all threads", processorTime),
            (
                "process_resident_memory_bytes", .gauge, "Memory that the process has in RAM",
                residentByteCount.map(Double.init)
            ),
            (
                "process_open_fds", .gauge, "Open file descriptors",
                descriptorCount.map(Double.init)
            ),
            (
                "process_max_fds", .gauge, "How many file descriptors may be open",
                descriptorLimit.map(Double.init)
            ),
        ]
        return [build]
            + values.compactMap { name, kind, help, value in
                value.map { MetricFamily(name, kind, help, at: $0) }
            }
    }

    /// The start of the process, in seconds since 1970: the time of the first read.
    static let start = Date().timeIntervalSince1970

    /// The processor time of all threads, in seconds.
    private static var processorTime: Double? {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return nil }
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1_000_000
        }
    }

    /// The resident memory in bytes, from the second number of proc_pid_statm(5).
    private static var residentByteCount: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
            return nil
        }
        let numbers = text.split(separator: " ")
        let pages = numbers.count > 1 ? Int(numbers[1]) : nil
        return pages.map { $0 * sysconf(CInt(_SC_PAGESIZE)) }
    }

    private static var descriptorCount: Int? {
        try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// The number of descriptors that may be open.
    static var descriptorLimit: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return nil
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// The status of the process, for the operator's page.
    static var status: ServerStatus {
        var status = ServerStatus(version: Freshet.version, started: Int(start))
        status.residentByteCount = residentByteCount
        status.descriptorCount = descriptorCount
        status.descriptorLimit = descriptorLimit
        return status
    }
}
