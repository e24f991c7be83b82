import Foundation

/// The widget of a row.
///
/// Cells are reused: a table of any length has only as many as are visible.
@MainActor
open class TableViewCell: Widget {
    /// The arrangement of the texts.
    public enum Style: Sendable {
        /// The text alone.
        case basic
        /// The detail text below the text.
        case subtitle
        /// The detail text at the right.
        case value
    }

    /// A mark at the right end of a cell.
    public enum Accessory: Sendable { case none, disclosureIndicator, checkmark }

    /// The arrangement of the texts.
    public let style: Style
    /// The kind of cell: an unused cell serves only rows of its kind.
    public let reuseIdentifier: String
    /// The main text.
    open var text: String?
    /// The smaller text.
    open var detailText: String?
    /// The address of an image.
    open var image: String?
    /// The mark at the right end.
    open var accessory = Accessory.none
    /// Whether the cell's row is selected.
    open var isSelected = false
    /// Whether a finger is on the cell.
    open var isHighlighted = false

    weak var table: TableView?

    /// Makes a cell.
    ///
    /// - Parameters:
    ///   - style: The arrangement of the texts.
    ///   - reuseIdentifier: The kind of cell.
    public required init(style: Style = .basic, reuseIdentifier: String) {
        self.style = style
        self.reuseIdentifier = reuseIdentifier
        super.init()
    }

    /// Called before the cell is used for another row; overrides call `super`.
    open func prepareForReuse() {
        (text, detailText, image, accessory) = (nil, nil, nil, .none)
        (isSelected, isHighlighted) = (false, false)
    }

    open override func touchesBegan(_ touch: Touch) { isHighlighted = true }
    open override func touchesEnded(_ touch: Touch) { table?.rowTouchEnded(self, touch) }
    open override func touchesCancelled(_ touch: Touch) { isHighlighted = false }
}
