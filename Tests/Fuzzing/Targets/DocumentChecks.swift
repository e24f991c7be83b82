import FeedFormats
import FeedModel
import TestSupport

/// A document of a source, of any format or none: what is read of it makes a feed that can be
/// written in every format, and the same document makes no other feed.
enum DocumentChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        let reader = FeedReader(address: "https://a.example/feed")
        guard let feed = try? reader.read(input) else { return }
        let now = FeedDate(seconds: 1_700_000_000)
        guard feed.nativeDocument == nil else { return }
        let options = SourceSnapshot.Options()
        let first = SourceSnapshot.make(feed, current: nil, options: options, now: now)
        let ids = first.sections.flatMap { $0.items.map(\.id) }
        try require(Set(ids).count == ids.count, "an id stands twice: \(ids)")
        for id in ids { try require(id.refusalAsID == nil, "\(id)") }
        let later = FeedDate(seconds: 1_700_000_100)
        let second = SourceSnapshot.make(feed, current: first, options: options, now: later)
        let again = second.sections.flatMap { $0.items.map(\.id) }
        try require(again == ids, "\(ids) become \(again)")
        let syndicated = SyndicatedFeed(first, SyndicatedFeed.Options(name: "news"), changed: 0)
        for format in SyndicationFormat.allCases {
            let document = syndicated.document(format)
            guard let read = try? FeedReader().read(document) else {
                throw Finding("\(format) cannot be read: \(document.text)")
            }
            try require(read.entries.count == ids.count, "\(format): \(document.text)")
        }
    }
}
