import FeedModel
import HTTPTypes

/// Feeds that take no publishes.
extension Access {
    /// Refuses publishes to a feed whose content comes from elsewhere.
    ///
    /// - Throws: `405`.
    func checkTakesPublishes(_ feed: FeedName) throws(Problem) {
        guard let reason = refusalOfPublishes(feed) else { return }
        var problem = Problem(.method, .methodNotAllowed, "the feed \"\(feed)\" \(reason)")
        problem.fields[.allow] = Route.readMethods
        throw problem
    }

    /// Whether everyone may know that a feed takes no publishes.
    func isOpenlyReadOnly(_ name: String) -> Bool {
        guard let feed = FeedName(name), isOpen(feed) else { return false }
        return refusalOfPublishes(feed) != nil
    }

    /// Why a feed takes no publishes, in words; `nil`: it does.
    private func refusalOfPublishes(_ feed: FeedName) -> String? {
        if sources?.isSourced(feed) == true {
            return "has a source, and takes no publishes but refresh"
        }
        return derived.has(feed) ? "is made of other feeds, and takes no publishes" : nil
    }
}
