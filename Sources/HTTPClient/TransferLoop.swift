import CCurl
import Platform
import Synchronization

/// The thread of a client: takes commands, and drives all transfers.
final class TransferLoop: Sendable {
    enum Command {
        case start(UInt64, HTTPClient.Request, StreamedResponse)
        case cancel(UInt64)
        case resume(UInt64)
        case stop
    }

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let settings: HTTPClient.Settings
    private let commands = Mutex<[Command]>([])

    private let wakeUp: WakeUp

    init(_ settings: HTTPClient.Settings) throws(HTTPClientError) {
        self.settings = settings
        guard TransferLoop.isReady else { throw .unavailable }
        do { wakeUp = try WakeUp() } catch { throw .unavailable }
    }

    func post(_ command: Command) {
        let isFirst = commands.withLock { commands in
            commands.append(command)
            return commands.count == 1
        }
        if isFirst { wakeUp.ring() }
    }

    /// Starts the thread, and returns `false` when the system has none left.
    func start() -> Bool { WorkerThread.start(niceness: 0) { self.run() } }

    private func run() {
        let transfers = TransferSet(settings)
        while true {
            for command in takeCommands() {
                switch command {
                case .start(let id, let request, let response):
                    transfers.start(id, request, response)
                case .cancel(let id): transfers.cancel(id)
                case .resume(let id): transfers.resume(id)
                case .stop:
                    transfers.cancelAll()
                    return
                }
            }
            transfers.proceed()
            transfers.wait(for: wakeUp.descriptor)
        }
    }

    private func takeCommands() -> [Command] {
        wakeUp.reset()
        return commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }
}
