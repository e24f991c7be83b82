import Dispatch
import Foundation

/// SIGTERM and SIGINT, as something to wait for.
enum StopSignals {
    /// Of their own: they wait for no thread that has work.
    private static let queue = DispatchQueue(label: "freshet.signals", qos: .userInteractive)

    /// Waits for the first of them; the next one ends the process at once, as if nobody listened.
    static func first() async {
        let (signals, arrival) = AsyncStream.makeStream(of: Void.self)
        let sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { arrival.yield() }
            source.resume()
            return source
        }
        for await _ in signals { break }
        for source in sources { source.cancel() }
        for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
    }
}
