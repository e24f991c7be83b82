/// Finds the word that was probably meant by a misspelt one.
package enum Suggestion {
    /// The bytes of the longest word that is looked at.
    ///
    /// The work is the product of both words' lengths, and a longer word is no misspelling.
    private static let longestWord = 64

    /// The word among `words` that takes the fewest edits, unless it takes too many of them.
    package static func nearest(to word: String, among words: [String]) -> String? {
        guard word.utf8.count <= Suggestion.longestWord else { return nil }
        let plain = { (text: String) in Array(text.lowercased().replacing("_", with: "-").utf8) }
        let limit = max(1, word.count / 3)
        let best = words.map { (word: $0, distance: distance(plain(word), plain($0))) }
            .min { $0.distance < $1.distance }
        return best.flatMap { $0.distance <= limit ? $0.word : nil }
    }

    /// Insertions, removals, replacements and swaps of neighbours (the optimal string alignment
    /// distance).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [Array(0...right.count)]
        for (row, byte) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var least = min(rows[row][column + 1], next[column]) + 1
                least = min(least, rows[row][column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
