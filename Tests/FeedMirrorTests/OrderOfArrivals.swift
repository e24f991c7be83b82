import FeedModel
import TestSupport
import Testing

@testable import FeedMirror

/// A mirror hears of a feed by a stream, which may be late, and by answers to questions, which may
/// be late, too.
@Suite struct OrderOfArrivals {
    /// An origin with one feed, which comes and goes, and a mirror of it.
    private struct Model {
        let feed: FeedName
        var random: SeededGenerator
        var arrivals = Arrivals()
        /// The lives of the feed at the origin, one after the other; `nil`: there is none.
        var states: [String?] = [nil]
        var lives = 0
        /// What the stream has told last.
        var told = 0
        /// What the mirror shows.
        var shown: String?
        /// Questions under way, with what the answer says once it is made.
        var questions: [(number: Int, state: Int?)] = []
        /// The last life that a reader has seen.
        var seen = 0
        var isBack = false

        init(_ feed: FeedName, seed: UInt64) {
            self.feed = feed
            random = SeededGenerator(seed: seed)
            arrivals.streamBegins(with: [])
        }

        mutating func change() {
            if states.last == .some(nil) {
                lives += 1
                states.append("\(lives)")
            } else {
                states.append(nil)
            }
        }

        /// The stream tells what is, or what was a while ago; it may pass over some of it.
        mutating func stream(toEnd: Bool = false) {
            guard told < states.count - 1 else { return }
            let last = states.count - 1
            told = toEnd ? last : Int.random(in: told + 1...last, using: &random)
            let epoch = states[told]
            let isPast = arrivals.isPast(epoch, of: feed)
            arrivals.recordArrival(feed, byStream: !isPast)
            if !isPast { show(epoch) }
        }

        mutating func ask() { questions.append((arrivals.begin(), nil)) }

        /// The origin answers, or the answer arrives.
        mutating func goOn() {
            guard let place = questions.indices.randomElement(using: &random) else { return }
            guard let state = questions[place].state else {
                questions[place].state = states.count - 1
                return
            }
            let overtaking = arrivals.end(questions.remove(at: place).number)
            take(states[state], overtaking)
        }

        private mutating func take(_ epoch: String?, _ overtaking: Arrivals.Overtaking) {
            guard epoch == shown || !overtaking.includes(feed) else { return ask() }
            arrivals.recordArrival(feed, byStream: false)
            let isNews = epoch != shown
            show(epoch)
            if isNews || arrivals.isUnconfirmed(feed) { arrivals.answer(feed, became: epoch) }
        }

        private mutating func show(_ epoch: String?) {
            shown = epoch
            guard let life = epoch.flatMap(Int.init) else { return }
            isBack = isBack || life < seen
            seen = life
        }

        /// All that there is to be told is told, and what is not heard of is asked about.
        mutating func settle() {
            stream(toEnd: true)
            while !questions.isEmpty { goOn() }
            for _ in 0..<3 where !arrivals.unconfirmed.isEmpty {
                ask()
                while !questions.isEmpty { goOn() }
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func readersNeverSeeAnEarlierLifeOfAFeed(_ seed: UInt64) throws {
        for round in 0..<100 {
            var model = Model(try #require(FeedName("news")), seed: seed << 32 | UInt64(round))
            for _ in 0..<40 {
                switch Int.random(in: 0..<8, using: &model.random) {
                case 0...2: model.change()
                case 3: model.stream()
                case 4: model.ask()
                default: model.goOn()
                }
                try #require(!model.isBack, "round \(round)")
            }
            model.settle()
            #expect(!model.isBack)
            #expect(model.shown == model.states.last, "round \(round)")
        }
    }
}
