public import FeedCollation
import Foundation

/// UIKit's names for the members of a collation.
extension IndexedCollation {
    /// The collation of the user's language, or of English if that language has no index; `nil` if
    /// the system cannot sort by locales.
    public static var current: IndexedCollation? {
        IndexedCollation(locale: Locale.current.identifier) ?? IndexedCollation(locale: "en")
    }

    /// Returns the elements in the locale's order.
    ///
    /// Elements that compare equal keep their order.
    public func sortedArray<Element>(
        from array: [Element],
        collationString: (Element) -> String
    ) -> [Element] {
        sorted(array, by: collationString)
    }

    /// Returns the section that a title of the index leads to.
    public func section(forSectionIndexTitle index: Int) -> Int {
        min(max(index, 0), sectionTitles.count - 1)
    }
}
