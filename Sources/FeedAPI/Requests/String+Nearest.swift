/// Finds the known word that a misspelt word probably means.
extension String {
    /// The most bytes of a word that is compared.
    ///
    /// The time of a comparison is proportional to the product of both lengths, and a longer word
    /// is hardly a misspelling.
    private static let longestMisspelling = 64

    /// Returns the word among `words` that needs the fewest edits to become this one.
    ///
    /// - Parameter limit: The most edits; by default, a third of this word's length.
    /// - Returns: `nil` if every word needs more.
    package func nearest(among words: [String], within limit: Int? = nil) -> String? {
        guard utf8.count <= String.longestMisspelling else { return nil }
        let plain = { (text: String) in Array(text.lowercased().replacing("_", with: "-").utf8) }
        let limit = limit ?? max(1, count / 3)
        let own = plain(self)
        let best = words.map { (word: $0, distance: String.distance(own, plain($0))) }
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
                var least = Swift.min(rows[row][column + 1], next[column]) + 1
                least = Swift.min(least, rows[row][column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    least = Swift.min(least, rows[row - 1][column - 1] + 1)
                }
                next.append(least)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
