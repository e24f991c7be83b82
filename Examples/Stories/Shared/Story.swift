public import FeedClient
public import FeedModel
public import Foundation

/// An item of the feed as the app shows it.
public struct Story: Codable, Sendable, Equatable {
    public var id: String
    public var title: String
    public var summary: String?
    public var url: URL?
    public var author: String?

    /// Makes a story, for previews and tests.
    public init(id: String, title: String, summary: String? = nil, author: String? = nil) {
        self.id = id
        self.title = title
        self.summary = summary
        self.author = author
    }

    /// Reads a story; an author is a name, or an object with it.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        title = try members.decode(String.self, forKey: .title)
        summary = try? members.decode(String.self, forKey: .summary)
        url = try? members.decode(URL.self, forKey: .url)
        author =
            (try? members.decode(String.self, forKey: .author))
            ?? (try? members.decode(Person.self, forKey: .author))?.name
    }

    private struct Person: Decodable {
        let name: String
    }

    /// The line below the title.
    public var subtitle: String {
        [author, summary].compactMap { $0 }.joined(separator: " · ")
    }
}

/// The words that the app shows beside the list.
public enum StoryWords {
    /// How old what is on the screen is.
    public static func freshness(_ freshness: FeedFreshness, now: Date = Date()) -> String {
        switch freshness {
        case .neverLoaded: "Loading …"
        case .missing: "This feed is gone."
        case .gone(let date): "The server has not had this feed for \(minutes(since: date, now))"
        case .cached(let date): "As of \(minutes(since: date, now)) ago"
        case .current(let date): "Updated \(minutes(since: date, now)) ago"
        }
    }

    private static func minutes(since date: Date, _ now: Date) -> String {
        let minutes = Int(max(0, now.timeIntervalSince(date)) / 60)
        return minutes == 1 ? "1 minute" : "\(minutes) minutes"
    }

    /// The words for a screen reader about the result of a refresh.
    public static func announcement(_ counts: RefreshCounts?) -> String? {
        guard let counts else { return nil }
        if counts.isUnchanged { return "Nothing new" }
        if counts.isReplaced || counts.isMissing { return "Updated" }
        return "\(counts.inserted) new, \(counts.updated) changed"
    }
}

/// Where the app's feeds are.
public enum StoryService {
    /// The service; feeds are kept in the app's caches folder.
    public static func make(baseURL: URL) -> FeedService {
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        let folder = (caches ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("feeds", isDirectory: true)
        return FeedService(baseURL: baseURL, cache: FeedCache(directory: folder))
    }

    /// The feed that the app shows.
    public static var feed: FeedName? { FeedName("news") }
}
