// Follows a feed from the command line: `swift run follow-example http://127.0.0.1:8080 news`.
import FeedClient
import FeedModel
import Foundation
import Stories

let arguments = CommandLine.arguments
guard arguments.count == 3, let url = URL(string: arguments[1]), let name = FeedName(arguments[2])
else {
    print("usage: follow-example SERVER FEED")
    exit(2)
}

let stories = LiveFeed(name, of: FeedService(baseURL: url), as: Story.self)
let following = Task { await stories.follow() }
for await update in stories.updates {
    let titles = stories.sections.first?.rows.prefix(3).compactMap(\.item?.title) ?? []
    let words = update.problem?.description ?? StoryWords.freshness(update.freshness)
    let count = update.copy.snapshot.count
    print("\(words): \(count) item\(count == 1 ? "" : "s"); \(titles.joined(separator: ", "))")
    fflush(nil)  // A pipe would get the lines only when the buffer is full.
}
following.cancel()
