import Foundation
import Synchronization

/// Remembers the entity tag of the last pull: while the feeds are unchanged, the next pull is
/// answered by `304` (docs/PROTOCOL.md, "Many feeds in one request").
final class PullTags: Sendable {
    private struct Pull {
        let address: URL
        let tag: String
    }

    private let last = Mutex<Pull?>(nil)

    /// Returns the tag for a pull, by its address with feeds, versions and view; `nil`: another
    /// pull was remembered.
    func tag(of address: URL?) -> String? {
        last.withLock { $0?.address == address ? $0?.tag : nil }
    }

    /// Remembers the tag of a response, by the address of the pull for the changes since then.
    func remember(_ tag: String, of address: URL?) {
        last.withLock { $0 = address.map { Pull(address: $0, tag: tag) } }
    }
}
