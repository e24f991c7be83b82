import Foundation
import Synchronization

/// The processes that were started, so that all of them end.
final class ProcessList: Sendable {
    private let running = Mutex<[Process]>([])

    /// Starts a program and waits, for 20 seconds at most, until it prints a line with `phrase`.
    ///
    /// - Returns: The process's number, and the line.
    /// - Throws: ``Failure`` when there is no such line.
    func start(
        _ program: String,
        _ arguments: [String],
        until phrase: String
    ) throws -> (processID: Int32, line: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let number = process.processIdentifier
        running.withLock { $0.append(process) }
        let impatience = DispatchWorkItem { kill(number, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 20, execute: impatience)
        defer { impatience.cancel() }
        let output = pipe.fileHandleForReading
        var text = ""
        while true {
            let data = output.availableData
            guard !data.isEmpty else { throw Failure("\(program) did not start: \(text)") }
            text += String(decoding: data, as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            guard let line = lines.first(where: { $0.contains(phrase) }) else { continue }
            // The output is read on, so that the process never waits for a reader.
            output.readabilityHandler = { handle in
                if handle.availableData.isEmpty { handle.readabilityHandler = nil }
            }
            return (number, String(line))
        }
    }

    /// Asks a process to end, as ``endAll()`` does.
    func end(_ number: Int32) {
        let process = running.withLock { running in
            let index = running.firstIndex { $0.processIdentifier == number }
            return index.map { running.remove(at: $0) }
        }
        if let process { end([process]) }
    }

    /// Asks all processes to end, and kills the ones that have not ended after 5 seconds.
    func endAll() {
        let processes = running.withLock { running in
            defer { running = [] }
            return running
        }
        end(processes)
    }

    private func end(_ processes: [Process]) {
        for process in processes { process.terminate() }
        let deadline = ContinuousClock.now + .seconds(5)
        for process in processes {
            while process.isRunning && ContinuousClock.now < deadline { usleep(5_000) }
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
        }
    }
}
