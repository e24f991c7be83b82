#if !canImport(UIKit)
public import Foundation

/// UIKit's names for the parts of a row's index path.
extension IndexPath {
    /// Makes the index path of a row.
    public init(row: Int, section: Int) {
        self = [section, row]
    }

    /// The index of the row in its section.
    public var row: Int {
        get { self[1] }
        set { self[1] = newValue }
    }

    #if !canImport(AppKit)
    /// The index of the section.
    public var section: Int {
        get { self[0] }
        set { self[0] = newValue }
    }
    #endif
}
#endif
