import Testing

@testable import freshet

/// proc_pid_stat(5), proc_stat(5).
@Suite struct ProcessStarts {
    /// The fields of a process that began at `starttime`.
    private static func stat(_ name: String, _ starttime: String) -> String {
        let before = ["S"] + (4...21).map(String.init)
        return "7 (\(name)) " + (before + [starttime, "23", "24"]).joined(separator: " ")
    }

    @Test(arguments: ["freshet", "a b", "a) S 1 (b", ""])
    func areReadBehindAnyName(_ name: String) {
        let start = ProcessMetrics.start(
            stat: ProcessStarts.stat(name, "250"),
            system: "cpu 1 2\nbtime 1000\nprocesses 5\n",
            ticks: 100
        )
        #expect(start == 1002.5)
    }

    @Test(arguments: [
        ("", "btime 1000", 100), ("7 (freshet) S 4", "btime 1000", 100),
        (stat("freshet", "250"), "cpu 1", 100), (stat("freshet", "x"), "btime 1000", 100),
        (stat("freshet", "250"), "btime x", 100), (stat("freshet", "250"), "btime 1000", 0),
    ])
    func areUnknownWithoutAllFields(_ stat: String, _ system: String, _ ticks: Int) {
        #expect(ProcessMetrics.start(stat: stat, system: system, ticks: ticks) == nil)
    }
}
