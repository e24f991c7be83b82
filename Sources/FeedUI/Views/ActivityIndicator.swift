/// A wheel that turns while something is under way.
@MainActor
public final class ActivityIndicator: Widget {
    /// How large it is.
    public enum Style: Sendable { case medium, large }

    /// How large it is.
    public var style = Style.medium

    /// Whether it turns.
    public private(set) var isAnimating = false

    /// Whether it is hidden while it does not turn.
    public var hidesWhenStopped = true {
        didSet { update() }
    }

    /// Makes one that does not turn.
    public init(style: Style = .medium) {
        super.init()
        self.style = style
        update()
    }

    /// Has it turn.
    public func startAnimating() {
        isAnimating = true
        update()
    }

    /// Stops it.
    public func stopAnimating() {
        isAnimating = false
        update()
    }

    private func update() {
        isHidden = hidesWhenStopped && !isAnimating
    }
}
