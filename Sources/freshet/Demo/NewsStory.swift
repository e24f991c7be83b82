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
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("id", id)
        writer.member("kind", "story")
        writer.member("title", title)
        writer.member("summary", summary)
        writer.member("content_html", ([summary] + text).map { "<p>\($0)</p>" }.joined())
        writer.beginObject("author")
        writer.member("name", author)
        writer.endObject()
        writer.member("published", published.formatted(.iso8601))
        writer.name("tags")
        writer.strings(tags.map { ExactString($0) })
        if let picture { writer.member("image", "/demo/\(picture).svg") }
        writer.endObject()
        return try? FeedItem(parsing: writer.finish())
    }
}

extension NewsStory {
    /// The stories of the feed `daily`.
    static let all: [NewsStory] = [
        NewsStory(
            id: "river",
            title: "The river is back in its old bed after forty years",
            summary: """
                Engineers took the concrete away in spring. By autumn the water had found the \
                meanders that old maps show.
                """,
            text: [
                """
                The first to notice were the children of the school by the weir, who had been \
                counting dragonflies since April.
                """,
                "By September there were eleven kinds. The year before there had been two.",
            ],
            author: "Ada Okoye",
            picture: "river",
            tags: ["rivers", "nature"]
        ),
        NewsStory(
            id: "bridges",
            title: "City opens three new bridges for walkers",
            summary: "They open on Saturday, with music on the middle one.",
            text: [
                "Nobody may drive on them, not even the mayor, who comes on foot.",
                "The railings are made of the old bridge’s steel.",
            ],
            author: "Mina Park",
            picture: "bridge",
            tags: ["city"]
        ),
        NewsStory(
            id: "tools",
            title: "A library that lends tools, seeds and time",
            summary: """
                Drills go out on Fridays and are back on Mondays. What is lent most is an hour \
                of help.
                """,
            text: [
                "Last year members lent each other four thousand hours.",
                "The most wanted thing is still the ladder.",
            ],
            author: "Layla Haddad",
            picture: "library",
            tags: ["city", "people"]
        ),
        NewsStory(
            id: "nighttrains",
            title: "Night trains return to the coast",
            summary: """
                For the first time in a generation one can fall asleep in the capital and wake \
                by the sea.
                """,
            text: [
                "The first train was sold out in nine minutes.",
                "Breakfast is served before the last tunnel.",
            ],
            author: "Jonas Weber",
            picture: "train",
            tags: ["travel"]
        ),
        NewsStory(
            id: "gardens",
            title: "What a thousand gardens say about spring",
            summary: """
                Volunteers wrote down the first flower for thirty years. It comes eleven days \
                sooner.
                """,
            text: [
                "The longest record was kept on the back of a kitchen door."
            ],
            author: "Ada Okoye",
            picture: "garden",
            tags: ["nature", "science"]
        ),
        NewsStory(
            id: "swifts",
            title: "The quiet comeback of the swift",
            summary: """
                Boxes under the roofs of the new quarter were empty for two years. Now half are \
                taken.
                """,
            text: [
                """
                Swifts come back to the place where they were born, and they need time to find \
                out that there is another.
                """
            ],
            author: "Nils Aalto",
            picture: "bird",
            tags: ["nature"]
        ),
        NewsStory(
            id: "lighthouse",
            title: "The last keeper leaves the lighthouse",
            summary: """
                After thirty-one years, and two weeks of clearing up, the light goes on by \
                itself.
                """,
            text: [
                "He takes along the barometer and leaves the cat, who would not come."
            ],
            author: "Moira Keane",
            picture: "sea",
            tags: ["people"]
        ),
        NewsStory(
            id: "glacier",
            title: "A glacier sings, and somebody listens",
            summary: "Microphones in the ice hear it move before anyone can see it.",
            text: [
                """
                The sound is lower than a person can hear. Played ten times as fast it is a \
                kind of choir.
                """
            ],
            author: "Reto Caduff",
            picture: "mountain",
            tags: ["science"]
        ),
        NewsStory(
            id: "bread",
            title: "A bakery bakes by yesterday’s weather",
            summary: """
                Dough rises with the pressure of the air. A small firm wrote down which way.
                """,
            text: [
                "The loaves are more alike than they ever were. Not everybody likes that."
            ],
            author: "Mina Park",
            picture: nil,
            tags: ["food", "science"]
        ),
        NewsStory(
            id: "chess",
            title: "Village beats grandmaster, by vote",
            summary: """
                Four hundred people chose each move on a board in the square. It took them a \
                summer.
                """,
            text: [
                "The losing move was the master’s only one that he had not slept on."
            ],
            author: "Layla Haddad",
            picture: nil,
            tags: ["people"]
        ),
        NewsStory(
            id: "clock",
            title: "The town clock is right again",
            summary: "For eleven years it was twelve minutes slow, and everybody knew.",
            text: [
                "The trains have not changed their times. People are early now."
            ],
            author: "Jonas Weber",
            picture: nil,
            tags: ["city"]
        ),
        NewsStory(
            id: "whale",
            title: "A whale’s map of the noise",
            summary: """
                One animal with a recorder crossed four shipping lanes. It went around the \
                loudest.
                """,
            text: [
                "The detour was three hundred kilometres."
            ],
            author: "Moira Keane",
            picture: "sea",
            tags: ["science", "nature"]
        ),
        NewsStory(
            id: "orchard",
            title: "Old apples, new names",
            summary: "A farmer found nineteen kinds that nobody knows, and asks for help.",
            text: [
                "One tastes of aniseed. It has been given a number until somebody remembers."
            ],
            author: "Ada Okoye",
            picture: "garden",
            tags: ["food"]
        ),
        NewsStory(
            id: "tram",
            title: "The tram that waits for the bus",
            summary: """
                It holds its doors for ninety seconds if somebody is running. Nobody has \
                complained yet.
                """,
            text: [
                "The driver sees the running on a small screen, and decides."
            ],
            author: "Nils Aalto",
            picture: "train",
            tags: ["city", "travel"]
        ),
        NewsStory(
            id: "map",
            title: "A map of every bench",
            summary: """
                Two retired surveyors walked the whole town. There are 1,204 of them, and 61 \
                face a wall.
                """,
            text: [
                "The council has turned nine around."
            ],
            author: "Reto Caduff",
            picture: "bridge",
            tags: ["city", "people"]
        ),
        NewsStory(
            id: "radio",
            title: "Pirates of the weather",
            summary: "A radio that only says the wind has more listeners than the news.",
            text: [
                "It is read live, by people who can see the sea."
            ],
            author: "Moira Keane",
            picture: nil,
            tags: ["people"]
        ),
    ]
}
