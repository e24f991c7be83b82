/// An index of the positions of elements by the hashes of their ids: a trie whose versions share
/// unchanged parts, and whose changes take logarithmic time.
///
/// Two ids may have one hash, so the caller must compare the ids. (P. Bagwell, "Ideal Hash Trees",
/// 2001.)
struct HashIndex: Sendable {
    /// The position of an element, and the hash of its id.
    struct Entry: Equatable, Sendable {
        /// The hash of the element's id.
        var hash: UInt32
        /// The hash of the id of the item's section; 0 for a section.
        var section: UInt32
        /// The element's label in its ``TreeList``.
        var label: Int64
    }

    fileprivate enum Node: Sendable {
        /// Entries whose hashes begin alike, in no order.
        case bucket([Entry])
        /// The sixteen nodes, one for each value of the next four bits of the hash.
        case inner([Node])
    }

    /// The most entries of a bucket; more are kept only if all bits of their hashes are used.
    fileprivate static let bucketLimit = 32

    /// The number of bits by which a hash is shifted for its first four bits.
    fileprivate static let firstShift: UInt32 = 28

    private var root = Node.bucket([])

    /// Makes an index.
    init(_ entries: [Entry] = []) {
        root = Node(entries, shift: Self.firstShift)
    }

    /// Returns the entries with a hash, hardly ever more than one.
    func entries(_ hash: UInt32) -> [Entry] {
        bucket(around: hash).entries.filter { $0.hash == hash }
    }

    /// Returns all entries of the bucket for a hash, and the first hash after that bucket.
    func bucket(around hash: UInt32) -> (entries: [Entry], end: UInt64) {
        var node = root
        var shift = Self.firstShift
        while case .inner(let nodes) = node {
            node = nodes[Int(hash &>> shift & 15)]
            shift &-= 4
        }
        guard case .bucket(let entries) = node else { return ([], 0) }
        let width = UInt64(shift &+ 4)
        return (entries, (UInt64(hash) >> width + 1) << width)
    }

    mutating func insert(_ entry: Entry) {
        root.insert(entry, shift: Self.firstShift)
    }

    /// Removes an entry, if it is present.
    mutating func remove(_ entry: Entry) {
        root.remove(entry, shift: Self.firstShift)
    }

    /// Returns the bytes of this index's arrays that `other` does not share.
    func byteCount(notIn other: HashIndex) -> Int {
        root.byteCount(notIn: other.root)
    }
}

extension HashIndex.Node {
    fileprivate init(_ entries: [HashIndex.Entry], shift: UInt32) {
        guard entries.count > HashIndex.bucketLimit, shift < 32 else {
            // The copy has no spare capacity.
            self = .bucket(entries.map(\.self))
            return
        }
        var parts = [[HashIndex.Entry]](repeating: [], count: 16)
        for entry in entries { parts[Int(entry.hash >> shift & 15)].append(entry) }
        self = .inner(parts.map { Self($0, shift: shift &- 4) })
    }

    // A consumed node's array is copied only if another version of the index holds it.

    fileprivate mutating func insert(_ entry: HashIndex.Entry, shift: UInt32) {
        switch consume self {
        case .bucket(var entries):
            entries.append(entry)
            if entries.count > HashIndex.bucketLimit, shift < 32 {
                self = Self(entries, shift: shift)
            } else {
                self = .bucket(entries)
            }
        case .inner(var nodes):
            nodes[Int(entry.hash >> shift & 15)].insert(entry, shift: shift &- 4)
            self = .inner(nodes)
        }
    }

    fileprivate mutating func remove(_ entry: HashIndex.Entry, shift: UInt32) {
        switch consume self {
        case .bucket(var entries):
            if let position = entries.firstIndex(of: entry) {
                entries.swapAt(position, entries.count - 1)
                entries.removeLast()
            }
            self = .bucket(entries)
        case .inner(var nodes):
            nodes[Int(entry.hash >> shift & 15)].remove(entry, shift: shift &- 4)
            self = Self.joined(nodes) ?? .inner(nodes)
        }
    }

    /// Returns one bucket with the entries of nodes that have few; `nil` if they have more.
    private static func joined(_ nodes: [Self]) -> Self? {
        var count = 0
        for node in nodes {
            guard case .bucket(let entries) = node else { return nil }
            count += entries.count
            guard count <= HashIndex.bucketLimit / 4 else { return nil }
        }
        return .bucket(nodes.flatMap(\.bucket))
    }

    fileprivate var bucket: [HashIndex.Entry] {
        if case .bucket(let entries) = self { entries } else { [] }
    }

    private var nodes: [Self] {
        if case .inner(let nodes) = self { nodes } else { [] }
    }

    fileprivate func byteCount(notIn other: Self) -> Int {
        switch (self, other) {
        case (.bucket(let entries), .bucket(let others)):
            if entries.isIdentical(to: others) { return 0 }
        case (.inner(let nodes), .inner(let others)):
            if nodes.isIdentical(to: others) { return 0 }
        default: break
        }
        var count = 32 + MemoryLayout<HashIndex.Entry>.stride * bucket.count
        let others = other.nodes
        for (position, node) in nodes.enumerated() {
            count += MemoryLayout<Self>.stride
            count += node.byteCount(notIn: others.isEmpty ? .bucket([]) : others[position])
        }
        return count
    }
}
