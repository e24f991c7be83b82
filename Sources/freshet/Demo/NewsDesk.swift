import FeedModel
import Foundation

/// The content of the demo's feed `daily`, and its next events; the caller gives the time.
struct NewsDesk {
    /// The kinds of events, in the order in which they happen, over and over.
    enum Event: CaseIterable {
        case arrival, count, promotion, secondArrival, departure
    }

    /// The stories, the newest first.
    private(set) var latest: [NewsStory] = []
    /// The top stories; the first is the live story of the election.
    private(set) var top: [NewsStory] = []
    /// The number of stories that have arrived so far.
    private var arrivals = 0
    private var steps = 0
    /// The number of counted districts in the election's story.
    private(set) var counted = 12

    /// The number of districts in the election.
    static let districts = 120
    private static let topLimit = 5
    private static let latestLimit = 14

    /// Makes a desk with twelve stories of the last hours, and the election.
    init(at now: Date) {
        for age in (0..<12).reversed() {
            add(at: now - Double(age * age * 240 + 90))
        }
        top = Array(latest.prefix(3))
        latest.removeFirst(3)
        top.insert(election(at: now - 1800), at: 0)
    }

    /// Carries out the next event, and returns it.
    @discardableResult
    mutating func step(at now: Date) -> Event {
        let event = Event.allCases[steps % Event.allCases.count]
        steps += 1
        switch event {
        case .arrival, .secondArrival: add(at: now)
        case .count: count()
        case .promotion: promote()
        case .departure: latest.removeLast(max(latest.count - NewsDesk.latestLimit, 0))
        }
        return event
    }

    private mutating func add(at now: Date) {
        let all = NewsStory.all
        var story = all[arrivals % all.count]
        // When the stories run out, they come again with other ids.
        story.id += arrivals < all.count ? "" : "-\(arrivals / all.count + 1)"
        story.published = now
        arrivals += 1
        latest.insert(story, at: 0)
    }

    /// Counts three more districts; after the last, the count begins again.
    private mutating func count() {
        counted = counted < NewsDesk.districts ? min(counted + 3, NewsDesk.districts) : 12
        guard let first = top.first else { return }
        top[0] = election(at: first.published)
    }

    /// Makes the newest story a top story.
    private mutating func promote() {
        guard !latest.isEmpty else { return }
        top.insert(latest.removeFirst(), at: min(1, top.count))
        // If there are too many, the last top story goes back to its place by time.
        guard top.count > NewsDesk.topLimit, let last = top.popLast() else { return }
        let index = latest.firstIndex { $0.published < last.published } ?? latest.endIndex
        latest.insert(last, at: index)
    }

    private func election(at time: Date) -> NewsStory {
        NewsStory(
            id: "election",
            title: "Election night: \(counted) of \(NewsDesk.districts) districts counted",
            summary: counted < 60
                ? "The two lists are within a point of each other; the cities are still to come."
                : "The coast has reported. What is left are the valleys, and the letters.",
            text: [
                "This story changes while you read it, and only what changes is sent.",
                "Counted so far: \(counted) of \(NewsDesk.districts) districts.",
            ],
            author: "The newsroom",
            picture: "ballot",
            tags: ["live", "politics"],
            published: time
        )
    }
}

extension NewsDesk {
    /// The current content of the feed.
    var snapshot: Snapshot {
        let sections = [("top", "Top stories", top), ("latest", "Latest", latest)]
        return Snapshot(
            title: "Daily news",
            sections: sections.map { id, title, stories in
                FeedSection(id: id, title: title, items: stories.map(\.item))
            }
        )
    }
}
