import FeedModel
import HTTPTypes

/// Feeds that take no publishes.
extension Access {
    /// Refuses publishes to a feed whose content comes from elsewhere.
    ///
    /// - Throws: `405`.
    func checkTakesPublishes(_ feed: FeedName) throws(Problem) {
        let reason: String
        if sources?.isSourced(feed) == true {
            reason = "has a source, and takes no publishes but refresh"
        } else if derived.has(feed) {
            reason = "is made of other feeds, and takes no publishes"
        } else {
            return
        }
        var problem = Problem(.method, .methodNotAllowed, "the feed \"\(feed)\" \(reason)")
        problem.fields[.allow] = "GET, HEAD, OPTIONS"
        throw problem
    }
}
