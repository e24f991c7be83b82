/// Room around content, in points: what UIKit calls edge insets.
public struct ContentInsets: Sendable, Hashable {
    /// Above the content.
    public var top: Double
    /// Left of it.
    public var left: Double
    /// Below it.
    public var bottom: Double
    /// Right of it.
    public var right: Double

    /// No room, where nothing else is said.
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
