import Foundation
import Synchronization

/// The entity tag of the last pull: while the feeds are as that left them, the same pull need not
/// say it all again (docs/PROTOCOL.md, "Many feeds in one request").
final class PullTags: Sendable {
    private struct Pull {
        let address: URL
        let tag: String
    }

    private let last = Mutex<Pull?>(nil)

    /// - Parameter address: Of a pull; it names the feeds, their versions and the view.
    /// - Returns: Its tag, if it is the one that was remembered last.
    func tag(of address: URL?) -> String? {
        last.withLock { $0?.address == address ? $0?.tag : nil }
    }

    /// - Parameters:
    ///   - tag: Of the answer.
    ///   - address: Of the pull that asks what is new since that answer.
    func remember(_ tag: String, of address: URL?) {
        last.withLock { $0 = address.map { Pull(address: $0, tag: tag) } }
    }
}
