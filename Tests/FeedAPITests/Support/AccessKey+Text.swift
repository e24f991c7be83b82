import FeedModel

@testable import FeedAPI

extension AccessKey {
    /// Makes a key from its text.
    convenience init(
        _ key: String,
        read: [FeedPattern] = [],
        write: [FeedPattern] = [],
        follow: [FeedPattern] = [],
        isAdmin: Bool = false
    ) {
        self.init(
            digest: SHA256Digest(of: key.utf8.span),
            read: read,
            write: write,
            follow: follow,
            isAdmin: isAdmin
        )
    }
}
