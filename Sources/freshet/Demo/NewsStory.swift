import FeedModel
import Foundation

/// A made-up story of the feed `daily`.
struct NewsStory: Equatable {
    var id: String
    var title: String
    var summary: String
    /// The text after the summary: paragraphs, without markup.
    var text: [String]
    var author: String
    /// The name of a file in `Public/demo/`, without its ending.
    var picture: String?
    var tags: [String]
    var published = Date(timeIntervalSince1970: 0)

    /// The story as an item; nil when it has an id that no item can have.
    var item: FeedItem? {
        var members = [
            ("id", NewsStory.json(id)), ("kind", NewsStory.json("story")),
            ("title", NewsStory.json(title)), ("summary", NewsStory.json(summary)),
            ("content_html", NewsStory.json(([summary] + text).map { "<p>\($0)</p>" }.joined())),
            ("author", "{\"name\":\(NewsStory.json(author))}"),
            ("published", NewsStory.json(published.formatted(.iso8601))),
            ("tags", "[\(tags.map(NewsStory.json).joined(separator: ","))]"),
        ]
        if let picture { members.append(("image", NewsStory.json("/demo/\(picture).svg"))) }
        let texts = members.map { "\(NewsStory.json($0)):\($1)" }
        return try? FeedItem(parsing: Array("{\(texts.joined(separator: ","))}".utf8))
    }

    private static func json(_ text: String) -> String {
        String(decoding: JSONText(string: text).bytes, as: UTF8.self)
    }
}
