import Synchronization

/// An item: a JSON object with an `id` that is unique in its feed.
///
/// The type is a class, so that the versions of a feed share unchanged items.
public final class FeedItem: Sendable {
    /// The id: 1 to 256 bytes of UTF-8 without control characters, other than `.` and `..`.
    public let id: ExactString

    /// The whole object, including its `id`.
    public let json: JSONText

    /// The times at which the server first received the item and last received a change of it, in
    /// seconds since 1970: the first time in the upper 32 bits, the last in the lower; 0: not
    /// recorded.
    private let times = Atomic<UInt64>(0)

    /// Makes an item from JSON that a reader has validated.
    package init(id: ExactString, json: JSONText) {
        self.id = id
        self.json = json
    }
}

/// The times at which the server received the item.
extension FeedItem {
    /// The times, in seconds since 1970, at which an item with this id was first received and last
    /// changed; 0: not recorded.
    package var seen: (first: UInt32, changed: UInt32) {
        let both = times.load(ordering: .relaxed)
        return (UInt32(truncatingIfNeeded: both >> 32), UInt32(truncatingIfNeeded: both))
    }

    /// Sets ``seen``, before any reader can get a version with the item.
    package func setSeen(first: UInt32, changed: UInt32) {
        times.store(UInt64(first) << 32 | UInt64(changed), ordering: .relaxed)
    }
}

extension FeedItem: Equatable {
    /// Returns whether both have the same id and equal values.
    public static func == (left: FeedItem, right: FeedItem) -> Bool {
        left === right || left.id == right.id && left.json == right.json
    }
}

extension FeedItem {
    /// The members of the item's object in their order, including `id`.
    package var members: Members {
        let bytes = json.bytes[...]
        var list: [Member] = []
        forEachMember { member in
            let name = ExactString(member.name.string(in: bytes))
            list.append(Member(name: name, value: member.text(in: bytes)))
        }
        return Members(list)
    }

    /// Returns the values of the members with these names, by name; names that the item lacks are
    /// left out.
    package func values(of names: [ExactString]) -> [ExactString: JSONText] {
        let bytes = json.bytes[...]
        let index = NameIndex(names)
        var found: [ExactString: JSONText] = [:]
        forEachMember { member in
            guard let position = index.position(of: member.name, in: bytes) else { return }
            found[names[position]] = member.text(in: bytes)
        }
        return found
    }

    /// Whether the item has at most ``memberLimit`` members.
    package var isWithinMemberLimit: Bool {
        // The shortest member has five bytes with its comma.
        guard json.bytes.count > 5 * FeedItem.memberLimit else { return true }
        return (try? FeedItem(parsing: json.bytes)) != nil
    }

    /// Returns the item after an edit: replaced members keep their position, new ones come last,
    /// and the other bytes do not change.
    ///
    /// The member `id` is never changed by the edit.
    package func applying(_ edit: Changes.MemberEdit) -> FeedItem {
        var changes = edit.set.map { MemberChange(name: $0.name, value: $0.value) }
        changes += edit.unset.map { MemberChange(name: $0, value: nil) }
        return FeedItem(id: id, json: applying(changes.filter { $0.name != "id" }))
    }

    /// Returns this item with another id; the other bytes do not change.
    package func renamed(_ id: ExactString) -> FeedItem {
        FeedItem(id: id, json: applying([("id", JSONText(string: id.string))]))
    }

    /// The name of a member, and its new value; `nil`: the member is removed.
    private typealias MemberChange = (name: ExactString, value: JSONText?)

    /// Returns the item's JSON after changes of members; of changes of one member, the last counts.
    private func applying(_ changes: [MemberChange]) -> JSONText {
        let bytes = json.bytes[...]
        let names = NameIndex(changes.map(\.name))
        var isFound = Array(repeating: false, count: changes.count)
        var writer = ItemWriter(byteCount: bytes.count)
        forEachMember { member in
            let name = member.name
            let spelling = bytes[name.start - 1...name.end]
            guard let position = names.position(of: name, in: bytes) else {
                writer.add(spelling, hash: name.hash, bytes[member.value], hash: member.hash)
                return
            }
            isFound[position] = true
            guard let new = changes[position].value else { return }
            writer.add(spelling, hash: name.hash, new.bytes[...], hash: new.valueHash)
        }
        for (position, change) in changes.enumerated() where !isFound[position] {
            guard let value = change.value, names.position(of: change.name) == position else {
                continue
            }
            writer.add(Member(name: change.name, value: value))
        }
        return writer.finish()
    }

    /// Calls `body` for each member.
    func forEachMember(_ body: (ItemMember) -> Void) {
        var reader = JSONReader(depthLimit: .max)
        do throws(JSONFault) {
            try reader.forEachMember(in: json.bytes[...], depth: 1, body)
        } catch {
            preconditionFailure("an item that is not JSON: \(error)")
        }
    }
}

/// The position of a member in the JSON of an object: its name, and the range and the hash of its
/// value.
struct ItemMember {
    let name: StringToken
    let value: Range<Int>
    let hash: UInt64

    func text(in bytes: ArraySlice<UInt8>) -> JSONText {
        JSONText(checked: Array(bytes[value]), valueHash: hash)
    }
}

extension JSONReader {
    /// Calls `body` for each member of an object.
    mutating func forEachMember(
        in bytes: ArraySlice<UInt8>,
        depth: Int,
        _ body: (ItemMember) -> Void
    ) throws(JSONFault) {
        let source = bytes.span
        var members = try openObject(in: source, depth: depth)
        while let name = try nextMember(in: source, of: &members) {
            let start = index
            let hash = try value(in: source, depth: depth)
            body(ItemMember(name: name, value: start..<index, hash: hash))
        }
    }
}

/// An index of a few names that finds an item's members among them.
private struct NameIndex {
    private let names: [ExactString]
    private var positions: [UInt64: [Int]] = [:]

    init(_ names: [ExactString]) {
        self.names = names
        for (position, name) in names.enumerated() {
            positions[ValueHash.shared.string(name), default: []].append(position)
        }
    }

    /// Returns the last position of a name; `nil` if it is not among the names.
    func position(of name: StringToken, in bytes: ArraySlice<UInt8>) -> Int? {
        guard !names.isEmpty else { return nil }
        return positions[name.hash]?.last { name.equals(names[$0], in: bytes) }
    }

    func position(of name: ExactString) -> Int? {
        positions[ValueHash.shared.string(name)]?.last { name == names[$0] }
    }
}

/// Writes an item from its members.
private struct ItemWriter {
    private var bytes = [UInt8(ascii: "{")]
    private var sum: UInt64 = 0

    init(byteCount: Int) {
        bytes.reserveCapacity(byteCount)
    }

    mutating func add(
        _ spelling: ArraySlice<UInt8>,
        hash nameHash: UInt64,
        _ value: ArraySlice<UInt8>,
        hash valueHash: UInt64
    ) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: spelling)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(contentsOf: value)
        sum &+= ValueHash.shared.member(name: nameHash, value: valueHash)
    }

    mutating func add(_ member: Member) {
        var spelling: [UInt8] = []
        spelling.append(jsonString: member.name.string)
        let (hash, value) = (ValueHash.shared.string(member.name), member.value)
        add(spelling[...], hash: hash, value.bytes[...], hash: value.valueHash)
    }

    consuming func finish() -> JSONText {
        bytes.append(UInt8(ascii: "}"))
        return JSONText(checked: bytes, valueHash: ValueHash.shared.object(sum: sum))
    }
}

extension FeedItem {
    /// The most members of an item, including those of the objects in it: the edit of a single
    /// member reads all of them.
    package static let memberLimit = 10_000

    /// Parses an item's own document.
    ///
    /// The parameter `id` is the id in the request's path: a document without an id gets it, and a
    /// document with another id is malformed.
    package convenience init(parsing bytes: [UInt8], id: ExactString? = nil) throws(DocumentError) {
        let read = try JSONReader.read(bytes, depth: 64) { reader, bytes throws(JSONFault) in
            try reader.itemText(in: bytes)
        }
        let ownID = read.id.map { ExactString($0.string(in: bytes[...])) }
        guard let ownID else {
            guard let id else {
                throw DocumentError(kind: .malformed, path: "id", reason: "is missing")
            }
            try self.init(parsing: read.json.bytes.givingMember(id: id), id: id)
            return
        }
        if let id, id != ownID {
            throw DocumentError(
                kind: .malformed,
                path: "id",
                reason: "is “\(ownID)”, but the path says “\(id)”"
            )
        }
        self.init(id: ownID, json: read.json)
    }

    /// Parses an array of items; their ids must differ.
    package static func list(
        parsing bytes: [UInt8],
        itemLimit: Int
    ) throws(DocumentError) -> [FeedItem] {
        var reader = SnapshotReader(itemLimit: itemLimit)
        return try reader.items(in: bytes)
    }

    /// Makes an item from JSON that this program has made, and validates it; errors are at `path`,
    /// the item's position in the received document.
    package convenience init(made bytes: [UInt8], path: String = "") throws(DocumentError) {
        do throws(DocumentError) {
            try self.init(parsing: bytes)
        } catch {
            throw error.within(path)
        }
    }
}

extension [UInt8] {
    /// Returns this object, which has no white space, with `id` as its first member.
    fileprivate func givingMember(id: ExactString) -> [UInt8] {
        var bytes = Array("{\"id\":".utf8)
        bytes.append(jsonString: id.string)
        if count > 2 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: dropFirst())
        return bytes
    }
}
