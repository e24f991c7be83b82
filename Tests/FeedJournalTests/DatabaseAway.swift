import FeedModel
import FeedStore
import Glibc
import Synchronization
import Testing

@testable import FeedJournal

/// A server that starts while its database is away.
@Suite struct DatabaseAway {
    private final class Said: Sendable {
        let words = Mutex<[String]>([])
    }

    /// Returns a socket that is bound, with its port. Connections are refused until it listens,
    /// and are taken by nobody then.
    private func socket(listens: Bool) throws -> (descriptor: CInt, port: Int) {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        try #require(isBound && (!listens || listen(descriptor, 8) == 0))
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Operators are told why nothing happens before the server gives up.
    @Test(arguments: [
        (false, "the database cannot be reached yet: "),
        (true, "the database has not answered yet"),
    ])
    func isSaidWithinASecond(_ listens: Bool, _ words: String) throws {
        let (descriptor, port) = try socket(listens: listens)
        defer { close(descriptor) }
        let said = Said()
        var settings = PostgresJournal.Settings(address: "postgres://127.0.0.1:\(port)/x") { 0 }
        settings.patience = .seconds(1)
        settings.silence = .seconds(2)
        settings.report = { text in said.words.withLock { $0.append(text) } }
        let worker = PostgresWorker(settings)
        #expect(throws: JournalError.self) {
            try worker.recover { _ in }
        }
        let all = said.words.withLock(\.self)
        #expect(all.first?.hasPrefix(words) == true, "\(all)")
        #expect(all.count == 1)
    }
}
