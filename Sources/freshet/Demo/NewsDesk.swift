import FeedModel
import Foundation

/// The stories in the feed `daily`, and the next events there; the caller gives the time.
struct NewsDesk {
    /// The kinds of events, which come in turn.
    enum Event: CaseIterable {
        case arrival, count, promotion, secondArrival, departure
    }

    /// The stories, the newest first.
    private(set) var latest: [NewsStory] = []
    /// The top stories; the first is the one that is followed live.
    private(set) var top: [NewsStory] = []
    /// The number of stories that came so far.
    private var arrivals = 0
    private var steps = 0
    /// The number of districts counted in the story that is followed live.
    private(set) var counted = 12

    static let districts = 120
    private static let topLimit = 5
    private static let latestLimit = 14

    /// Makes a desk with stories of the last hours.
    init(at now: Date) {
        for age in (0..<12).reversed() {
            add(at: now - Double(age * age * 240 + 90))
        }
        top = Array(latest.prefix(3))
        latest.removeFirst(3)
        top.insert(election(at: now - 1800), at: 0)
    }

    /// Carries out the next event.
    ///
    /// - Returns: The event.
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
        let all = NewsStories.all
        var story = all[arrivals % all.count]
        // A story that comes again counts as another one.
        story.id += arrivals < all.count ? "" : "-\(arrivals / all.count + 1)"
        story.published = now
        arrivals += 1
        latest.insert(story, at: 0)
    }

    private mutating func count() {
        counted = counted < NewsDesk.districts ? min(counted + 3, NewsDesk.districts) : 12
        guard let first = top.first else { return }
        top[0] = election(at: first.published)
    }

    private mutating func promote() {
        guard !latest.isEmpty else { return }
        top.insert(latest.removeFirst(), at: min(1, top.count))
        // The story goes back among those of its time.
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
    /// The feed as it is now.
    var snapshot: Snapshot {
        let sections = [("top", "Top stories", top), ("latest", "Latest", latest)]
        return Snapshot(
            title: "Daily news",
            sections: sections.map { id, title, stories in
                let members = [Member(name: "title", value: JSONText(string: title))]
                return FeedSection(
                    id: ExactString(id),
                    members: Members(members),
                    items: stories.compactMap(\.item)
                )
            }
        )
    }
}
