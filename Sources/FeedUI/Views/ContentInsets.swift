/// The room around content, in points: UIKit's edge insets.
public struct ContentInsets: Sendable, Hashable {
    /// The room above the content.
    public var top: Double
    /// The room to the left of the content.
    public var left: Double
    /// The room below the content.
    public var bottom: Double
    /// The room to the right of the content.
    public var right: Double

    /// Makes insets; each is 0 by default.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    static func + (left: ContentInsets, right: ContentInsets) -> ContentInsets {
        ContentInsets(
            top: left.top + right.top,
            left: left.left + right.left,
            bottom: left.bottom + right.bottom,
            right: left.right + right.right
        )
    }
}
