import FeedModel
import HTTPServer

/// What the tag of a pull is made of: the names of its feeds with their tokens or absence, and the
/// view.
struct PullTag {
    private var text: [UInt8] = []

    /// - Parameter feedCount: About how many feeds there will be.
    init(feedCount: Int) { text.reserveCapacity(48 * feedCount + 64) }

    /// Adds a feed.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - token: That of its version; `nil`: it is not there.
    mutating func add(_ name: Span<UInt8>, _ token: Tag?) {
        text.append(decimal: name.count)
        text.append(UInt8(ascii: " "))
        name.withUnsafeBufferPointer { text.append(contentsOf: $0) }
        text.append(UInt8(ascii: " "))
        if let token {
            token.append(to: &text)
        } else {
            text.append(UInt8(ascii: "-"))
        }
        text.append(UInt8(ascii: "\n"))
    }

    /// The tag of all that was added, shown through a view.
    consuming func tag(_ view: FeedView) -> Tag {
        if view.isWhole {
            text.append(bytesOf: PullTag.wholeView)
        } else {
            text += "limit \(view.limit.map(String.init) ?? "-")\n".utf8
            for section in (view.sections ?? []).map(\.string).sorted() {
                text += "section \(section.utf8.count) \(section)\n".utf8
            }
            text += (view.sections == nil ? "all" : "some").utf8
        }
        return Tag(digest: SHA256Digest.inline(text.span))
    }

    private static let wholeView = Array("limit -\nall".utf8)
}
