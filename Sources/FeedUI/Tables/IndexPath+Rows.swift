#if !canImport(UIKit)
public import Foundation

/// Rows of tables, as UIKit has them.
extension IndexPath {
    /// Makes the place of a row.
    public init(row: Int, section: Int) {
        self = [section, row]
    }

    /// The number of the row in its section.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    #if !canImport(AppKit)
    /// The number of the section.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }
    #endif
}
#endif
