import CLinux
import FeedJournal
import Glibc
import Gzip
import HTTPClient
import HTTPServer

/// Checks of the machine for the needs of a server.
enum MachineChecks {
    /// Checks the limit of open files.
    static func descriptors(limit: Int) -> Finding {
        let subject = "descriptors"
        let advice = DescriptorRoom.advice
        switch limit {
        case ..<256: return .fail(subject, "\(limit): too few for a server", advice)
        case ..<4096:
            return .warn(subject, "\(limit): about so many clients less a reserve", advice)
        default: return .ok(subject, "\(limit)")
        }
    }

    /// Checks the memory that the process may use, against that which the machine has and feeds may
    /// take, in bytes.
    static func memory(byteCount: Int, machine: Int, feeds: Int) -> Finding {
        let subject = "memory"
        let size = ByteCountText.rounded(byteCount)
        let place = byteCount < machine ? "\(size) for this control group" : size
        let text = "\(place), of which feeds may take \(ByteCountText.rounded(feeds))"
        if feeds >= byteCount {
            return .fail(subject, text, "lower memory-limit, or the system ends the server")
        }
        if feeds > byteCount / 4 * 3 {
            return .warn(subject, text, "leave a quarter for connections and work: memory-limit")
        }
        if byteCount < 256 << 20 {
            return .warn(subject, text, "that is little; give it 256 MiB or more")
        }
        return .ok(subject, text)
    }

    /// Checks whether the clock is synchronized with time servers; `nil`: the system does not say.
    static func clock(isSynchronized: Bool?) -> Finding {
        switch isSynchronized {
        case true?: .ok("clock", "kept by time servers")
        case false?:
            .warn(
                "clock",
                "not kept by time servers",
                "run chrony or systemd-timesyncd: signed tokens and certificates go by it"
            )
        case nil: .ok("clock", "the system does not say who keeps it")
        }
    }

    /// Returns how far this clock is ahead of another one, in seconds; 0 where the clocks may
    /// agree.
    ///
    /// - Parameters:
    ///   - second: The time in the Date field of the other clock's server, in whole seconds.
    ///   - times: The times by this clock of the request and of its answer.
    static func skew(of second: Double, asked times: ClosedRange<Double>) -> Double {
        if second > times.upperBound { return times.upperBound - second }
        return max(0, times.lowerBound - second - 1)
    }

    /// Checks the seconds by which this clock is ahead of that of another machine.
    static func skew(seconds: Double, from place: String) -> Finding {
        let rounded = (seconds * 10).rounded() / 10
        let text = "\(abs(rounded)) s \(rounded < 0 ? "behind" : "ahead of") \(place)"
        let advice = "have both kept by time servers"
        switch abs(seconds) {
        case ..<2: return .ok("clock", "as that of \(place)")
        case ..<30: return .warn("clock", text, advice)
        default: return .fail("clock", text, advice)
        }
    }

    /// A library of the system, and the oldest version that is good enough.
    struct Library {
        let name: String
        let version: String
        /// The numbers of the oldest version, at least two.
        let least: [Int]
    }

    static var libraries: [Library] {
        [
            Library(name: "openssl", version: TLSContext.libraryVersion, least: [3, 0]),
            Library(name: "zlib", version: Inflater.libraryVersion, least: [1, 2, 11]),
            Library(name: "libcurl", version: HTTPClient.libraryVersion, least: [7, 80]),
            Library(name: "sqlite", version: SQLiteJournal.libraryVersion, least: [3, 35]),
        ]
    }

    static func library(_ library: Library) -> Finding {
        let numbers = library.version.split { !$0.isNumber }.compactMap { Int($0) }
        let least = library.least.map(String.init).joined(separator: ".")
        guard !numbers.isEmpty, !numbers.lexicographicallyPrecedes(library.least) else {
            let text = "\(library.name) \(library.version) is older than \(least)"
            return .fail("libraries", text, "upgrade the package")
        }
        return .ok("libraries", "\(library.name) \(library.version)")
    }

    /// Whether the system says that its clock is synchronized with time servers (adjtimex(2));
    /// `nil`: it does not say.
    static var isClockSynchronized: Bool? {
        switch freshet_clockState() {
        case 1: true
        case 0: false
        default: nil
        }
    }
}
