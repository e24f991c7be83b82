import FeedUI
import Foundation
import Testing

/// Places of rows, where UIKit does not have them.
@Suite struct RowPaths {
    @Test func haveARowAndASection() {
        var path = IndexPath(row: 3, section: 1)
        #expect(path == [1, 3])
        #expect((path.row, path.section) == (3, 1))
        path.row += 1
        path.section = 0
        #expect(path == [0, 4])
    }
}
