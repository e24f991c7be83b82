package import FeedModel

/// The facts about a version that the list of versions shows beside its content.
package struct VersionDetails: Sendable, Equatable {
    /// The publisher or the operation that made the version; `nil`: unknown.
    package var origin: VersionOrigin?
    /// The numbers of items that were inserted, removed, moved and updated since the version
    /// before; `nil`: unknown.
    package var itemCounts: ChangeCounts.Tally?

    /// Makes details; by default they are unknown.
    package init(origin: VersionOrigin? = nil, itemCounts: ChangeCounts.Tally? = nil) {
        self.origin = origin
        self.itemCounts = itemCounts
    }
}

/// The publisher or the operation that made a version.
package enum VersionOrigin: Sendable, Equatable {
    /// The holder of a key: its name, or the beginning of its digest.
    case key(String)
    /// The holder of a token that the key of this name has signed.
    case signer(String)
    /// The feed's source.
    case source
    /// The feeds that this one is made of.
    case derivation
    /// A restore, which made the content of this older version current again.
    case restored(Token)
}

/// Encodes a version's details for the journal.
extension ByteWriter {
    package mutating func details(_ details: VersionDetails) {
        switch details.origin {
        case nil: byte(0)
        case .key(let name):
            byte(1)
            text(name)
        case .signer(let name):
            byte(2)
            text(name)
        case .source: byte(3)
        case .derivation: byte(4)
        case .restored(let token):
            byte(5)
            text(token.description)
        }
        byte(details.itemCounts == nil ? 0 : 1)
        guard let counts = details.itemCounts else { return }
        for count in [counts.inserted, counts.removed, counts.moved, counts.updated] {
            number(count)
        }
    }
}

/// Decodes a version's details.
extension ByteReader {
    package mutating func details() throws(Failure) -> VersionDetails {
        var details = VersionDetails()
        switch try byte() {
        case 0: break
        case 1: details.origin = .key(try text())
        case 2: details.origin = .signer(try text())
        case 3: details.origin = .source
        case 4: details.origin = .derivation
        case 5:
            guard let token = Token(try text()) else { throw Failure() }
            details.origin = .restored(token)
        default: throw Failure()
        }
        guard try byte() == 1 else { return details }
        details.itemCounts = ChangeCounts.Tally(
            inserted: try number(),
            removed: try number(),
            moved: try number(),
            updated: try number()
        )
        return details
    }
}
