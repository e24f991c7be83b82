import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire

/// What some feeds have to say at one moment.
struct Pull: Sendable {
    /// As they were asked for.
    let entries: [FeedSelection.Entry]
    /// For each its answer; `nil` for one that is not there for the caller.
    let choices: [DocumentChoice?]
    let view: FeedView
    /// A hash of the names with their tokens or absence, and of the view.
    let tag: Tag

    init(_ entries: [FeedSelection.Entry], choices: [DocumentChoice?], view: FeedView) {
        self.entries = entries
        self.choices = choices
        self.view = view
        tag = Pull.tag(entries.map(\.name), choices, view)
    }

    private static func tag(_ names: [String], _ choices: [DocumentChoice?], _ view: FeedView)
        -> Tag
    {
        var text: [UInt8] = []
        text.reserveCapacity(48 * names.count + 64)
        func add(_ part: String) { text.append(contentsOf: part.utf8) }
        for (name, choice) in zip(names, choices) {
            add(String(name.utf8.count))
            add(" ")
            add(name)
            add(" ")
            if let token = choice?.version.token {
                add(token.epoch)
                add(".")
                add(String(token.version))
            } else {
                add("-")
            }
            add("\n")
        }
        add("limit \(view.limit.map(String.init) ?? "-")\n")
        for section in (view.sections ?? []).map(\.string).sorted() {
            add("section \(section.utf8.count) \(section)\n")
        }
        add(view.sections == nil ? "all" : "some")
        let digest = SHA256Digest.of(text.span)
        return Tag(hash: ResponseBuilder.hexadecimal(digest.prefix(Pull.tagByteCount)))
    }

    /// Bytes of the digest in a tag: 128 bits.
    private static let tagByteCount = 16

    /// When it is worth asking for one of them again.
    func hint(_ polling: PollingHint) -> Int? {
        choices.lazy.compactMap { $0.map { polling.hint($0.version) } }.min()
    }

    /// Whether there is nothing new for the one who asks: a feed that is missing is news only for
    /// one who had it.
    func isStill(_ parts: ReadParts) -> Bool {
        switch parts.condition.outcome(tag) {
        case .send:
            zip(entries, choices).allSatisfy { entry, choice in
                choice?.isUnchanged ?? (entry.since == nil)
            }
        case .notModified: true
        case .failed: false
        }
    }
}

/// The document: pieces of ours around those of the feeds.
extension Pull {
    /// The pieces of the document that these make, in a coding; a feed without one is missing.
    ///
    /// Those of the feeds are shared with all who get the same.
    func parts(_ documents: [CachedDocument?], _ coding: ContentCoding) -> [[UInt8]] {
        guard coding != .identity else {
            return documents.enumerated().flatMap { index, document in
                let body = document.map { $0.part?.content ?? $0.response.body }
                return [start(index), body ?? Pull.missing(entries[index].name)]
            } + [Pull.end]
        }
        var frame = GzipFrame(coding)
        var parts = [frame.header]
        for (index, document) in documents.enumerated() {
            let missing = { GzipPart(stored: Pull.missing(entries[index].name)) }
            for part in [GzipPart(stored: start(index)), document?.part ?? missing()] {
                parts.append(part.blocks)
                frame.add(part)
            }
        }
        let last = GzipPart(stored: Pull.end)
        frame.add(last)
        return parts + [last.blocks, frame.trailer]
    }

    /// Whether all these make is too short to be worth compressing.
    func isShort(_ documents: [CachedDocument?]) -> Bool {
        var byteCount = 0
        for (index, document) in documents.enumerated() {
            let length = document.map { $0.part?.contentCount ?? $0.response.body.count }
            byteCount += (length ?? Pull.missing(entries[index].name).count) + start(index).count
            if byteCount >= ResponseBuilder.codedMinimum { return false }
        }
        return byteCount + Pull.end.count < ResponseBuilder.codedMinimum
    }

    /// How it would be coded, where that can be told without the documents.
    func foreseenCoding(_ wish: CodingChoice) -> ContentCoding? {
        if wish.coding == .identity || wish.isForced { return wish.coding }
        return choices.contains { $0?.isSurelyLong == true } ? wish.coding : nil
    }

    /// What stands before the document of a feed.
    private func start(_ index: Int) -> [UInt8] {
        let name = JSONText(string: entries[index].name).bytes
        let before = index == 0 ? #"{"kind":"pull","feeds":{"# : ","
        return Array(before.utf8) + name + [UInt8(ascii: ":")]
    }

    private static let end = Array("}}".utf8)

    /// The document of a feed that is not there.
    static func missing(_ name: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("kind", "missing")
        writer.member("feed", name)
        writer.endObject()
        return writer.finish()
    }
}
