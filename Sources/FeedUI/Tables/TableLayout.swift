import FeedModel
import Foundation

/// The geometry of a table: the positions of rows and headers, in points from the content's top.
///
/// Looking a row up takes time logarithmic in the number of sections.
struct TableLayout {
    private(set) var counts: [Int] = []
    /// The titles of the sections; `nil`: the section has no header.
    private(set) var titles: [String?] = []
    /// The height of each row in points.
    var rowHeight = 44.0 {
        didSet { measure() }
    }
    /// The height of each header in points.
    var headerHeight = 28.0 {
        didSet { measure() }
    }
    /// The top of each section, and the end of the last one.
    private var tops: [Double] = [0]
    /// The number of rows before each section, and at the end the number of all rows.
    private var firstRows: [Int] = [0]

    /// Sets the row counts and titles of the sections.
    mutating func set(counts: [Int], titles: [String?]) {
        self.counts = counts
        self.titles = titles
        measure()
    }

    private mutating func measure() {
        tops = [0]
        firstRows = [0]
        tops.reserveCapacity(counts.count + 1)
        for section in counts.indices {
            let height = header(section) + Double(counts[section]) * rowHeight
            tops.append(tops[section] + height)
            firstRows.append(firstRows[section] + counts[section])
        }
    }

    /// Returns the height of a section's header; 0 if it has none.
    func header(_ section: Int) -> Double { titles[section] == nil ? 0 : headerHeight }

    var height: Double { tops[counts.count] }
    var rowCount: Int { firstRows[counts.count] }
    func top(_ section: Int) -> Double { tops[section] }
    func end(_ section: Int) -> Double { tops[section + 1] }

    /// Returns whether a path names a row.
    func contains(_ path: IndexPath) -> Bool {
        path.count == 2 && counts.indices.contains(path[0]) && 0..<counts[path[0]] ~= path[1]
    }

    func top(_ path: IndexPath) -> Double {
        tops[path[0]] + header(path[0]) + Double(path[1]) * rowHeight
    }

    /// Returns the last section that begins at or before a position; 0 if none does.
    func section(at y: Double) -> Int {
        max(0, counts.indices.partitionPoint { tops[$0] <= y } - 1)
    }

    /// Returns the number of a row, counted from 0 over all sections.
    func number(_ path: IndexPath) -> Int { firstRows[path[0]] + path[1] }

    /// Returns the row with a number below ``rowCount``, counted from 0 over all sections.
    func path(_ number: Int) -> IndexPath {
        let section = max(0, counts.indices.partitionPoint { firstRows[$0] <= number } - 1)
        return [section, number - firstRows[section]]
    }

    /// Returns the numbers of the rows that lie at least in part between two positions.
    func rows(from start: Double, to end: Double) -> Range<Int> {
        guard rowCount > 0, end > start else { return 0..<0 }
        let first = firstRow(endingAfter: start)
        let last = firstRow(endingAfter: end - 1e-6)
        let isIn = last < rowCount && top(path(last)) < end - 1e-6
        return first..<max(first, isIn ? last + 1 : last)
    }

    /// Returns the number of the first row that ends after a position; the number of rows if there
    /// is none.
    private func firstRow(endingAfter y: Double) -> Int {
        guard y >= 0 else { return 0 }
        guard y < height else { return rowCount }
        let section = section(at: y)
        let inside = y - tops[section] - header(section)
        let row = inside < 0 ? 0 : Int((inside + 1e-6) / rowHeight)
        return firstRows[section] + min(row, counts[section])
    }
}
