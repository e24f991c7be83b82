import Foundation

/// A view that shows a row.
///
/// Cells are used again: a table of any length has as many as are in sight.
@MainActor
open class TableViewCell: Widget {
    /// How it shows its parts.
    public enum Style: Sendable {
        /// The text alone.
        case basic
        /// The detail below the text.
        case subtitle
        /// The detail at the right.
        case value
    }

    /// A mark at the right end.
    public enum Accessory: Sendable { case none, disclosureIndicator, checkmark, detailButton }

    /// How it shows its parts.
    public let style: Style
    /// The kind of cell, by which it is found for another row.
    public let reuseIdentifier: String
    /// The text.
    open var text: String?
    /// The smaller text.
    open var detailText: String?
    /// An image's address.
    open var image: String?
    /// The mark at the right end.
    open var accessory = Accessory.none
    /// Whether its row is selected.
    open var isSelected = false
    /// Whether a finger is on it.
    open var isHighlighted = false

    weak var table: TableView?

    /// How often it came to show no row any more.
    var putAwayCount = 0

    override var use: Int { putAwayCount }

    /// Makes a cell.
    ///
    /// - Parameters:
    ///   - style: How it shows its parts.
    ///   - reuseIdentifier: The kind of cell.
    public required init(style: Style = .basic, reuseIdentifier: String) {
        self.style = style
        self.reuseIdentifier = reuseIdentifier
        super.init()
    }

    /// Is called before it shows another row; call `super`.
    open func prepareForReuse() {
        (text, detailText, image, accessory) = (nil, nil, nil, .none)
        (isSelected, isHighlighted) = (false, false)
    }

    open override func touchesBegan(_ touch: Touch) { table?.rowTouchBegan(self) }
    open override func touchesEnded(_ touch: Touch) { table?.rowTouchEnded(self, touch) }
    open override func touchesCancelled(_ touch: Touch) { table?.rowTouchCancelled(self) }
}
