import FeedModel

/// A sorted list of the feeds' names.
///
/// The names are stored in pieces of a few hundred, so that inserting or removing a name moves few
/// others.
struct NameList {
    /// The pieces, none of them empty.
    private var pieces: [[FeedName]] = []

    private static let pieceLimit = 512

    /// Inserts a name that is not in the list.
    mutating func insert(_ name: FeedName) {
        guard !pieces.isEmpty else {
            pieces = [[name]]
            return
        }
        let piece = max(0, pieces.partitionPoint { $0[0] <= name } - 1)
        pieces[piece].insert(name, at: pieces[piece].partitionPoint { $0 < name })
        guard pieces[piece].count > Self.pieceLimit else { return }
        let second = Array(pieces[piece][(Self.pieceLimit / 2)...])
        pieces[piece].removeSubrange((Self.pieceLimit / 2)...)
        pieces.insert(second, at: piece + 1)
    }

    /// Removes a name, if it is in the list.
    mutating func remove(_ name: FeedName) {
        let piece = pieces.partitionPoint { $0[0] <= name } - 1
        guard piece >= 0 else { return }
        let position = pieces[piece].partitionPoint { $0 < name }
        guard position < pieces[piece].count, pieces[piece][position] == name else { return }
        pieces[piece].remove(at: position)
        if pieces[piece].isEmpty { pieces.remove(at: piece) }
    }

    /// Returns the first names after a given one, which need not be in the list, that begin with a
    /// prefix.
    ///
    /// - Parameters:
    ///   - name: The UTF-8 of a name or of any other text; names are compared by bytes.
    ///   - prefix: The UTF-8 with which the names begin.
    func names(after name: [UInt8], prefix: [UInt8], limit: Int) -> [FeedName] {
        func isBefore(_ other: FeedName) -> Bool {
            let bytes = other.rawValue.utf8
            return !name.lexicographicallyPrecedes(bytes)
                || bytes.lexicographicallyPrecedes(prefix)
        }
        var names: [FeedName] = []
        var piece = max(0, pieces.partitionPoint { isBefore($0[0]) } - 1)
        guard piece < pieces.count else { return [] }
        var position = pieces[piece].partitionPoint(isBefore)
        while piece < pieces.count {
            for next in pieces[piece][position...] {
                guard names.count < limit, next.rawValue.utf8.starts(with: prefix) else {
                    return names
                }
                names.append(next)
            }
            (piece, position) = (piece + 1, 0)
        }
        return names
    }
}
