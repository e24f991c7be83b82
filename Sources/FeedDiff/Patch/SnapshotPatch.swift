import FeedModel

/// Applies a JSON Patch to a snapshot item by item: the parts that an operation does not touch are
/// not parsed.
///
/// After every operation the snapshot is a valid feed. Some operations are left to ``JSONPatch``
/// and the tree of the whole document: those that would make an invalid feed in between, such as an
/// item without an id, and those on whole lists.
struct SnapshotPatch {
    /// The part of the feed that a pointer's first tokens lead to.
    enum Target: Equatable {
        case feedMember(ExactString)
        case section(Int)
        case sectionID(Int)
        case sectionMember(Int, ExactString)
        case item(ItemPosition)
    }

    /// The snapshot after the operations that were applied so far.
    var snapshot: Snapshot

    /// The ids of sections that were inserted in another form than that of a feed's document:
    /// without `items`, or with `count`.
    ///
    /// Pointers into such a section are left to the document.
    var unusualSections: Set<ExactString> = []

    /// The bytes that may still be parsed here: beyond them, the tree of the whole document is
    /// cheaper, because it is parsed once.
    private var byteCountLeft: Int

    /// - Parameters:
    ///   - snapshot: The feed.
    ///   - byteLimit: The most bytes of it that may be parsed, if that is less.
    init(_ snapshot: Snapshot, byteLimit: Int) {
        self.snapshot = snapshot.indexed()
        byteCountLeft = min(1 << 16 + 2 * snapshot.itemByteCount, byteLimit)
    }

    /// Counts bytes that are parsed or written.
    mutating func spend(_ byteCount: Int) throws(PatchStop) {
        byteCountLeft -= byteCount
        guard byteCountLeft >= 0 else { throw .needsDocument }
    }
}

extension SnapshotPatch: PatchTarget {
    mutating func value(at pointer: JSONPointer) throws(PatchStop) -> JSONValue {
        let (target, rest) = try find(pointer, isNew: false)
        var value = try value(of: target, pointer)
        return try value.change(at: rest, pointer) { $0 }
    }

    mutating func put(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop) {
        // The value of an existing member is replaced by `add`.
        if try replaceWhole(value, at: pointer) { return }
        let (target, rest) = try find(pointer, isNew: true)
        guard let last = rest.last else {
            try put(value, at: target)
            return
        }
        _ = try change(target, rest.dropLast(), pointer) { parent throws(JSONPointerFault) in
            try parent.insert(value, at: last)
        }
    }

    mutating func replace(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop) {
        if try replaceWhole(value, at: pointer) { return }
        let (target, rest) = try find(pointer, isNew: false)
        guard rest.isEmpty else {
            _ = try change(target, rest, pointer) { $0 = value }
            return
        }
        switch target {
        case .section(let position): try replaceSection(at: position, with: value)
        case .item(let position): try replaceItem(at: position, with: value)
        case .feedMember, .sectionID, .sectionMember:
            _ = try self.value(of: target, pointer)
            try put(value, at: target)
        }
    }

    mutating func remove(at pointer: JSONPointer) throws(PatchStop) -> JSONValue {
        let (target, rest) = try find(pointer, isNew: false)
        if let last = rest.last {
            return try change(target, rest.dropLast(), pointer) { parent throws(JSONPointerFault) in
                try parent.remove(at: last)
            }
        }
        let value = try value(of: target, pointer)
        try discard(target, pointer)
        return value
    }

    mutating func discard(at pointer: JSONPointer) throws(PatchStop) {
        let (target, rest) = try find(pointer, isNew: false)
        guard rest.isEmpty else {
            _ = try remove(at: pointer)
            return
        }
        try discard(target, pointer)
    }

    /// Moves a whole item or section (RFC 6902 §4.4).
    ///
    /// - Returns: Whether the pointers name such a move; if not, nothing is changed.
    mutating func moveWhole(from: JSONPointer, to pointer: JSONPointer) throws(PatchStop) -> Bool {
        let source = try find(from, isNew: false)
        guard source.rest.isEmpty else { return false }
        switch source.target {
        case .item(let position):
            guard pointer.tokens.count == 4 else { return false }
            let item = snapshot.removeItem(at: position)
            // The target index counts the elements without the moved one.
            guard case .item(let target) = try find(pointer, isNew: true).target else {
                throw .needsDocument
            }
            snapshot.insert([item], at: target)
        case .section(let position):
            guard pointer.tokens.count == 2, pointer.tokens[0] == "sections" else { return false }
            let count = snapshot.sections.count - 1
            let target = try index(pointer.tokens[1], count: count, pointer, isNew: true)
            snapshot.moveSection(at: position, to: target)
        case .feedMember, .sectionID, .sectionMember: return false
        }
        return true
    }
}
