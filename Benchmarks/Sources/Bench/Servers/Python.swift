import Foundation

/// Python's own JSON reader, which is on nearly every machine.
struct Python {
    private let program: String

    init() throws {
        program = try Tool.find("python3", package: "python3-minimal")
    }

    /// Returns the time to read a file's JSON, on the clock and on a core, in seconds; the medians
    /// of several times.
    func read(_ file: URL, times: Int = 5) throws -> (seconds: Double, cpuSeconds: Double) {
        let script = """
            import json, statistics, sys, time
            data = open(sys.argv[1], "rb").read()
            def read():
                start, cpu = time.perf_counter(), time.thread_time()
                json.loads(data)
                return time.perf_counter() - start, time.thread_time() - cpu
            read()
            for times in zip(*(read() for _ in range(int(sys.argv[2])))):
                print(statistics.median(times))
            """
        let text = try Tool.run(program, ["-c", script, file.path, "\(times)"])
        let numbers = text.split(separator: "\n").compactMap { Double($0) }
        guard numbers.count == 2 else { throw Failure("python3 printed no numbers") }
        return (numbers[0], numbers[1])
    }
}
