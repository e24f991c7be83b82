import Foundation

/// A list over some days, made from a seed with the statistics of a list that was watched.
struct EditHistory {
    /// The list from some time on.
    struct Version {
        /// Seconds since the beginning.
        let second: Int
        /// The body of a `PUT`.
        let document: [UInt8]
        /// The rows that the edit before it touched, each as a server of a database's changes sends
        /// it: whole, with its place; of one that is gone, the id.
        let rows: [(kind: String, row: String)]
    }

    let statistics: ListStatistics
    /// The list as it is at the beginning, and after each edit.
    let versions: [Version]

    init(_ statistics: ListStatistics) {
        self.statistics = statistics
        var maker = HistoryMaker(statistics)
        var versions = [maker.version(at: 0, rows: [])]
        let seconds = statistics.days * 86_400
        let unchanged = maker.looksWithoutChange()
        for look in 1...statistics.looks where !unchanged.contains(look) {
            // The last one comes before the last poll.
            let second = seconds * look / (statistics.looks + 1)
            var version = maker.edit(at: second)
            // Moves can cancel each other.
            while version.document == versions.last?.document {
                version = maker.edit(at: second)
            }
            versions.append(version)
        }
        self.versions = versions
    }

    var seconds: Int { statistics.days * 86_400 }
}

/// An item while its history is made.
private struct Item {
    let number: Int
    var rank: Double
    /// The members' values, texts without quotes.
    var values: [String]
}

/// Makes a list and edits it.
private struct HistoryMaker {
    private let statistics: ListStatistics
    private var random: SplitMix64
    private let vocabulary: Vocabulary
    private var items: [Item] = []
    private var count = 0

    init(_ statistics: ListStatistics) {
        self.statistics = statistics
        random = SplitMix64(state: statistics.seed)
        vocabulary = Vocabulary(statistics.words, using: &random)
        for place in 0..<statistics.items {
            // Older than the day, the older the further down.
            let item = made(rank: Double(place), second: -600 * (place + 1))
            items.append(item)
        }
    }

    /// Chooses the looks that find no change.
    mutating func looksWithoutChange() -> Set<Int> {
        let count = statistics.looks - statistics.changes
        return Set((1...statistics.looks).shuffled(using: &random).prefix(count))
    }

    func version(at second: Int, rows: [(kind: String, row: String)]) -> EditHistory.Version {
        let list = items.map { text($0) }.joined(separator: ",")
        let document = #"{"title":"\#(statistics.title)","items":[\#(list)]}"#
        return EditHistory.Version(second: second, document: Array(document.utf8), rows: rows)
    }

    /// Edits the list in as many ways as a change of it does.
    mutating func edit(at second: Int) -> EditHistory.Version {
        var counts = (
            inserted: statistics.inserted.random(using: &random),
            removed: statistics.removed.random(using: &random),
            moved: statistics.moved.random(using: &random),
            updated: statistics.updated.random(using: &random)
        )
        // An edit changes something.
        if counts == (0, 0, 0, 0) { counts.updated = 1 }
        // The list keeps about its length.
        let surplus = items.count + counts.inserted - counts.removed - statistics.items
        if surplus > 5 { counts.removed += surplus - 5 }
        if surplus < -5 { counts.removed = max(0, counts.removed + surplus + 5) }
        let gone = remove(counts.removed)
        var touched = move(counts.moved)
        touched.formUnion(update(counts.updated, at: second))
        let new = insert(counts.inserted, at: second)
        let rows =
            gone.map { ("delete", #"{"id":"\#($0.values[0])"}"#) }
            + items.filter { touched.contains($0.number) }.map { ("update", row($0)) }
            + items.filter { new.contains($0.number) }.map { ("insert", row($0)) }
        return version(at: second, rows: rows)
    }

    private mutating func remove(_ count: Int) -> [Item] {
        (0..<count).map { _ in
            items.remove(at: .random(in: items.count / 3..<items.count, using: &random))
        }
    }

    /// Moves items to other places among the first twenty.
    private mutating func move(_ count: Int) -> Set<Int> {
        var moved: Set<Int> = []
        for _ in 0..<count {
            let old = Int.random(in: items.indices, using: &random)
            var item = items.remove(at: old)
            var new = old
            while new == old { new = .random(in: 0..<min(20, items.count), using: &random) }
            item.rank = rank(at: new)
            items.insert(item, at: new)
            moved.insert(item.number)
        }
        return moved
    }

    /// Inserts items at the top or, in half of the changes, anywhere in the first twenty.
    private mutating func insert(_ count: Int, at second: Int) -> Set<Int> {
        let isAtTop = Bool.random(using: &random)
        var inserted: Set<Int> = []
        for _ in 0..<count {
            let place = isAtTop ? 0 : Int.random(in: 0..<min(20, items.count), using: &random)
            let item = made(rank: rank(at: place), second: second)
            items.insert(item, at: place)
            inserted.insert(item.number)
        }
        return inserted
    }

    private mutating func update(_ count: Int, at second: Int) -> Set<Int> {
        var updated: Set<Int> = []
        for _ in 0..<count {
            var changing = Array(statistics.members.indices)
            changing.removeAll { index in
                let share = statistics.members[index].updates
                return Double.random(in: 0..<1, using: &random) >= share
            }
            // An update changes something.
            if changing.isEmpty {
                changing = [statistics.members.firstIndex { $0.updates > 0.5 } ?? 0]
            }
            let report = changing.first { statistics.members[$0].content == .longText }
            let candidates = items.indices.filter { place in
                guard let report else { return true }
                return items[place].values[report].utf8.count > 2000
            }
            guard let place = candidates.randomElement(using: &random) else { continue }
            for index in changing {
                let value = items[place].values[index]
                items[place].values[index] = changed(value, statistics.members[index], at: second)
            }
            updated.insert(items[place].number)
        }
        return updated
    }

    /// A place in the order, between the two that will be its neighbours.
    private func rank(at place: Int) -> Double {
        guard place > 0 else { return (items.first?.rank ?? 0) - 1 }
        guard place < items.count else { return (items.last?.rank ?? 0) + 1 }
        return (items[place - 1].rank + items[place].rank) / 2
    }

    private mutating func made(rank: Double, second: Int) -> Item {
        count += 1
        var values: [String] = []
        for member in statistics.members {
            let length = member.lengths.random(using: &random)
            switch member.content {
            case .address: values.append(address(length))
            case .link: values.append(values[0])
            case .mailTime, .time: values.append(time(member.content, at: second))
            case .number: values.append(number(length))
            case .text: values.append(vocabulary.text(length, using: &random))
            case .longText: values.append(vocabulary.html(length, using: &random))
            }
        }
        return Item(number: count, rank: rank, values: values)
    }

    private mutating func changed(
        _ value: String,
        _ member: ListStatistics.Member,
        at second: Int
    ) -> String {
        switch member.content {
        case .address, .link: value
        case .mailTime, .time: time(member.content, at: second)
        case .number: otherNumber(value)
        case .text: vocabulary.reworded(value, share: 0.5, using: &random)
        case .longText: vocabulary.amended(value, words: 20, places: 10, using: &random)
        }
    }

    private mutating func address(_ length: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        let start = "https://news.example.org/articles/"
        return (start.utf8.count..<length).reduce(into: start) { text, _ in
            text.append(letters.randomElement(using: &random) ?? "x")
        }
    }

    private mutating func number(_ length: Int) -> String {
        let most = Int(pow(10, Double(length)))
        return String(Int.random(in: most / 10..<most, using: &random))
    }

    private mutating func otherNumber(_ old: String) -> String {
        var new = old
        while new == old { new = number(old.utf8.count) }
        return new
    }

    /// A time a few minutes before.
    private mutating func time(
        _ content: ListStatistics.Member.Content,
        at second: Int
    ) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat =
            content == .mailTime ? "EEE, dd MMM yyyy HH:mm:ss 'GMT'" : "yyyy-MM-dd'T'HH:mm:ss'Z'"
        let start = 1_795_651_200 - Int.random(in: 0..<900, using: &random)
        return formatter.string(from: Date(timeIntervalSince1970: Double(start + second)))
    }

    private func text(_ item: Item, and more: String = "") -> String {
        let members = zip(statistics.members, item.values).map { member, value in
            let quote = member.content == .number ? "" : "\""
            return #""\#(member.name)":\#(quote)\#(value)\#(quote)"#
        }
        return "{" + members.joined(separator: ",") + more + "}"
    }

    private func row(_ item: Item) -> String {
        text(item, and: #","rank":\#(item.rank)"#)
    }
}

/// Words of some language, the more frequent the shorter.
private struct Vocabulary {
    private let words: [String]
    /// The sum of the frequencies of a word and of those before it.
    private let sums: [Double]

    init(_ count: Int, using random: inout SplitMix64) {
        let (consonants, vowels) = (Array("bcdfghlmnprstvw"), Array("aaeeeiioou"))
        var words: [String] = []
        var known: Set<String> = []
        while words.count < count {
            var word = ""
            let length = 2 + Int.random(in: 0...min(8, 1 + words.count / 12), using: &random)
            while word.utf8.count < length {
                let letters = word.utf8.count % 2 == words.count % 2 ? consonants : vowels
                word.append(letters.randomElement(using: &random) ?? "a")
                if Int.random(in: 0..<4, using: &random) == 0 {
                    word.append(consonants.randomElement(using: &random) ?? "s")
                }
            }
            if known.insert(word).inserted { words.append(word) }
        }
        self.words = words
        // Zipf's law.
        var sum = 0.0
        sums = (0..<count).map { rank in
            sum += 1 / Double(rank + 2)
            return sum
        }
    }

    private func word(using random: inout SplitMix64) -> String {
        let place = Double.random(in: 0..<(sums.last ?? 1), using: &random)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] <= place { low = middle + 1 } else { high = middle }
        }
        return words[low]
    }

    /// Text of a length.
    func text(_ length: Int, using random: inout SplitMix64) -> String {
        var text = word(using: &random).capitalized
        while text.utf8.count < length { text += " " + word(using: &random) }
        return String(text.prefix(length))
    }

    /// The text with other words for a share of its own.
    func reworded(_ text: String, share: Double, using random: inout SplitMix64) -> String {
        text.split(separator: " ").map { old in
            Double.random(in: 0..<1, using: &random) < share ? word(using: &random) : String(old)
        }.joined(separator: " ")
    }

    /// Paragraphs and links, escaped as JSON has them; shorter ones than a paragraph have none.
    func html(_ length: Int, using random: inout SplitMix64) -> String {
        guard length > 100 else { return "none" }
        var text = ""
        while text.utf8.count < length {
            let heading = self.text(24, using: &random)
            let (page, name) = (word(using: &random), word(using: &random))
            let link = #"<a href=\"https://fires.example.org/\#(page)/\">\#(name)</a>"#
            let length = Int.random(in: 100..<600, using: &random)
            let words = self.text(length, using: &random)
            text += "<p><strong>\(heading)</strong> \(link) \(words)</p>"
        }
        return text
    }

    /// The text with other words in some places.
    func amended(
        _ text: String,
        words: Int,
        places: Int,
        using random: inout SplitMix64
    ) -> String {
        var all = text.split(separator: " ").map(String.init)
        for _ in 0..<places {
            let start = Int.random(in: 0..<max(1, all.count - words), using: &random)
            for place in all.indices.dropFirst(start).prefix(words) {
                // Not what stands in a tag.
                if all[place].allSatisfy(\.isLetter) { all[place] = word(using: &random) }
            }
        }
        return all.joined(separator: " ")
    }
}
