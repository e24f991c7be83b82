import ArgumentParser
import FeedAPI
import Foundation
import Glibc

/// What Prometheus clients usually say of their process, by the usual names.
enum ProcessFigures {
    /// All of them; what the system does not tell is left out.
    static var families: [MetricFamily] {
        var build = MetricFamily("freshet_build_info", .gauge, "The version of the server")
        let name = Freshet.configuration.version
        build.add(1, ["version": String(name.drop { $0 != " " }.dropFirst())])
        var families = [
            build,
            MetricFamily(
                "process_start_time_seconds",
                .gauge,
                "When the process began, in seconds since 1970",
                start
            ),
        ]
        var usage = rusage()
        if getrusage(RUSAGE_SELF.rawValue, &usage) == 0 {
            families.append(
                MetricFamily(
                    "process_cpu_seconds",
                    .counter,
                    "Processor time of all threads",
                    seconds(usage.ru_utime) + seconds(usage.ru_stime)
                )
            )
        }
        if let pages = residentPages {
            let byteCount = pages * sysconf(CInt(_SC_PAGESIZE))
            families.append(
                MetricFamily(
                    "process_resident_memory_bytes",
                    .gauge,
                    "Memory that the process has in RAM",
                    byteCount
                )
            )
        }
        return families + descriptors
    }

    /// About when it began: when this was first asked for, at the start.
    static let start = Date().timeIntervalSince1970

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }

    /// The second number of proc_pid_statm(5).
    private static var residentPages: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
            return nil
        }
        let numbers = text.split(separator: " ")
        return numbers.count > 1 ? Int(numbers[1]) : nil
    }

    private static var descriptors: [MetricFamily] {
        var families: [MetricFamily] = []
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            families.append(
                MetricFamily("process_open_fds", .gauge, "Open file descriptors", open.count)
            )
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            families.append(
                MetricFamily(
                    "process_max_fds",
                    .gauge,
                    "How many file descriptors may be open",
                    Int(clamping: limit.rlim_cur)
                )
            )
        }
        return families
    }
}
