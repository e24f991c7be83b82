import Foundation

/// Python's own JSON reader, which everybody has.
struct Python {
    private let program: String

    init() throws {
        program = try Tool.find("python3", package: "python3-minimal")
    }

    /// How long it takes to read a file's JSON, in seconds: the median of some times.
    func secondsToRead(_ file: URL, times: Int = 5) throws -> Double {
        let script = """
            import json, statistics, sys, time
            data = open(sys.argv[1], "rb").read()
            def read():
                start = time.perf_counter()
                json.loads(data)
                return time.perf_counter() - start
            read()
            print(statistics.median(read() for _ in range(int(sys.argv[2]))))
            """
        let text = try Tool.run(program, ["-c", script, file.path, "\(times)"])
        guard let seconds = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Failure("python3 printed no number")
        }
        return seconds
    }
}
