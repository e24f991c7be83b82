/// Finds the known word that a misspelt word probably means.
package enum Suggestion {
    /// The most bytes of a word that is compared.
    ///
    /// A comparison takes time in proportion to the product of both lengths, and a longer word is
    /// hardly a misspelling.
    private static let longestWord = 64

    /// Returns the word among `words` that needs the fewest edits.
    ///
    /// - Parameter limit: The most edits; by default, a third of the word's length.
    /// - Returns: `nil` if every word needs more.
    package static func nearest(
        to word: String,
        among words: [String],
        within limit: Int? = nil
    ) -> String? {
        guard word.utf8.count <= Suggestion.longestWord else { return nil }
        let plain = { (text: String) in Array(text.lowercased().replacing("_", with: "-").utf8) }
        let limit = limit ?? max(1, word.count / 3)
        let best = words.map { (word: $0, distance: distance(plain(word), plain($0))) }
            .min { $0.distance < $1.distance }
        return best.flatMap { $0.distance <= limit ? $0.word : nil }
    }

    /// Returns the number of insertions, removals, replacements and swaps of neighbours that turn
    /// one word into the other (optimal string alignment distance).
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
