import Testing

@testable import freshet

@Suite struct MachineUse {
    @Test(arguments: [
        ("cpu 0 0 0 0 0", "cpu 25 0 0 75 0", 25), ("cpu 10 0 0 10 0", "cpu 20 0 0 10 0", 100),
        ("cpu 10 0 0 10 0", "cpu 10 0 0 10 0", nil),
        // A processor that goes takes its ticks with it.
        ("cpu 10 0 0 10 0", "cpu 5 0 0 5 0", nil),
    ])
    func useIsMeasuredBetweenTwoReadings(_ old: String, _ new: String, _ busy: Int?) throws {
        let old = try #require(ProcessorTime(parsing: old))
        let new = try #require(ProcessorTime(parsing: new))
        #expect(MachineReading.busy(from: old, to: new) == busy)
    }

    @Test func useOfAProcessIsOfOneProcessor() throws {
        let old = try status(ticks: 100, start: 7)
        let new = try status(ticks: 150, start: 7)
        // 50 ticks of 400 that four processors had: half of one.
        let use = MachineReading.use(from: old, to: new, elapsed: 400, processors: 4)
        #expect(use == 500)
    }

    @Test func useOfANewProcessOfAnOldNumberIsItsOwn() throws {
        let old = try status(ticks: 100, start: 7)
        let new = try status(ticks: 10, start: 8)
        #expect(MachineReading.use(from: old, to: new, elapsed: 100, processors: 1) == 100)
        #expect(MachineReading.use(from: nil, to: new, elapsed: 100, processors: 1) == 100)
        #expect(MachineReading.use(from: nil, to: new, elapsed: 0, processors: 1) == 0)
    }

    private func status(ticks: Int, start: Int) throws -> ProcessStatus {
        let zeros = String(repeating: "0 ", count: 10)
        let text = "1 (a) S \(zeros)\(ticks) 0 0 0 0 0 0 0 \(start) 0 0"
        return try #require(ProcessStatus(parsing: text))
    }
}
