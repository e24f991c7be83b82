/// Where elements are, by the hashes of their ids: a trie, whose versions share what they have in
/// common, and that changes in the logarithm of its size.
///
/// Two ids may have one hash: whoever looks something up compares. (P. Bagwell, "Ideal Hash
/// Trees", 2001.)
struct HashIndex: Sendable {
    /// Where an element is, and the hash of its id.
    struct Entry: Equatable, Sendable {
        var hash: UInt32
        /// The hash of its section's id; 0 of a section.
        var section: UInt32
        /// The label in its list.
        var label: Int64
    }

    fileprivate enum Node: Sendable {
        /// Those whose hashes begin alike, in no order.
        case bucket([Entry])
        /// A node for each value of the next four bits.
        case inner([Node])
    }

    /// The most entries of a bucket, unless there are no more bits to tell them apart.
    fileprivate static let bucketLimit = 32

    /// By how much a hash is shifted for the first four bits.
    fileprivate static let firstShift: UInt32 = 28

    private var root = Node.bucket([])

    /// Makes an index.
    init(_ entries: consuming [Entry] = []) {
        var entries = entries
        root = Node(&entries, entries.indices, shift: Self.firstShift)
    }

    /// The number of entries, counted one by one.
    var count: Int { root.count }

    /// The entries of a hash, of which there is hardly ever more than one.
    func entries(_ hash: UInt32) -> [Entry] {
        var node = root
        var shift = Self.firstShift
        while case .inner(let nodes) = node {
            node = nodes[Int(hash &>> shift & 15)]
            shift &-= 4
        }
        guard case .bucket(let entries) = node else { return [] }
        return entries.filter { $0.hash == hash }
    }

    /// All entries of the bucket that a hash belongs to, and the hash behind the last of that.
    func bucket(around hash: UInt32) -> (entries: [Entry], end: UInt64) {
        var node = root
        var shift = Self.firstShift
        while case .inner(let nodes) = node {
            node = nodes[Int(hash &>> shift & 15)]
            shift &-= 4
        }
        let width = UInt64(shift &+ 4)
        return (node.bucket, (UInt64(hash) >> width + 1) << width)
    }

    mutating func insert(_ entry: Entry) {
        root.insert(entry, shift: Self.firstShift)
    }

    /// Takes an entry out, if it is there.
    mutating func remove(_ entry: Entry) {
        root.remove(entry, shift: Self.firstShift)
    }

    /// The bytes of this index's arrays that `other` does not share.
    func byteCount(notIn other: HashIndex) -> Int {
        root.byteCount(notIn: other.root)
    }
}

extension HashIndex.Node {
    /// Makes a node of a part of a list, which is sorted for it.
    fileprivate init(_ list: inout [HashIndex.Entry], _ range: Range<Int>, shift: UInt32) {
        guard range.count > HashIndex.bucketLimit, shift < 32 else {
            self = .bucket(Array(list[range]))
            return
        }
        let starts = Self.sort(&list, range, shift: shift)
        self = .inner((0..<16).map { Self(&list, starts[$0]..<starts[$0 + 1], shift: shift &- 4) })
    }

    /// Sorts a part of a list by four bits of the hashes.
    ///
    /// The American flag sort of P. McIlroy and others, "Engineering Radix Sort", 1993.
    ///
    /// - Returns: Where each value of the four bits begins, and the end.
    private static func sort(
        _ list: inout [HashIndex.Entry],
        _ range: Range<Int>,
        shift: UInt32
    ) -> [Int] {
        var starts = [Int](repeating: 0, count: 17)
        for index in range { starts[Int(list[index].hash >> shift & 15) + 1] += 1 }
        starts[0] = range.lowerBound
        for digit in 1...16 { starts[digit] += starts[digit - 1] }
        var next = starts
        for digit in 0..<16 {
            while next[digit] < starts[digit + 1] {
                let own = Int(list[next[digit]].hash >> shift & 15)
                if own != digit { list.swapAt(next[digit], next[own]) }
                next[own] += 1
            }
        }
        return starts
    }

    fileprivate mutating func insert(_ entry: HashIndex.Entry, shift: UInt32) {
        if var entries = takeEntries() {
            entries.append(entry)
            guard entries.count > HashIndex.bucketLimit, shift < 32 else {
                self = .bucket(entries)
                return
            }
            self = Self(&entries, entries.indices, shift: shift)
        } else if var nodes = takeNodes() {
            nodes[Int(entry.hash >> shift & 15)].insert(entry, shift: shift &- 4)
            self = .inner(nodes)
        }
    }

    fileprivate mutating func remove(_ entry: HashIndex.Entry, shift: UInt32) {
        if var entries = takeEntries() {
            if let position = entries.firstIndex(of: entry) {
                entries.swapAt(position, entries.count - 1)
                entries.removeLast()
            }
            self = .bucket(entries)
        } else if var nodes = takeNodes() {
            nodes[Int(entry.hash >> shift & 15)].remove(entry, shift: shift &- 4)
            self = Self.joined(nodes) ?? .inner(nodes)
        }
    }

    /// One bucket of nodes that have few entries; `nil` of others.
    private static func joined(_ nodes: [Self]) -> Self? {
        var count = 0
        for node in nodes {
            guard case .bucket(let entries) = node else { return nil }
            count += entries.count
            guard count <= HashIndex.bucketLimit / 4 else { return nil }
        }
        return .bucket(nodes.flatMap(\.bucket))
    }

    fileprivate var count: Int {
        bucket.count + nodes.reduce(0) { $0 + $1.count }
    }

    /// The entries of this bucket; none of a node.
    fileprivate var bucket: [HashIndex.Entry] {
        if case .bucket(let entries) = self { entries } else { [] }
    }

    /// The nodes of this one; none of a bucket.
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

    /// The entries of this bucket, which becomes empty; never inlined, so that at its return
    /// nothing but the result holds them.
    @inline(never)
    private mutating func takeEntries() -> [HashIndex.Entry]? {
        guard case .bucket(let entries) = self else { return nil }
        self = .bucket([])
        return entries
    }

    /// The nodes of this one, which becomes empty; never inlined, as ``takeEntries()``.
    @inline(never)
    private mutating func takeNodes() -> [Self]? {
        guard case .inner(let nodes) = self else { return nil }
        self = .bucket([])
        return nodes
    }
}
