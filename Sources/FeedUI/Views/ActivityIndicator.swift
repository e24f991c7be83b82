/// A wheel that turns while a task is under way.
@MainActor
public final class ActivityIndicator: Widget {
    /// The size of the wheel.
    public enum Style: Sendable { case medium, large }

    /// The size of the wheel.
    public var style = Style.medium

    /// Whether the wheel turns.
    public private(set) var isAnimating = false

    /// Whether the wheel is hidden while it does not turn.
    public var hidesWhenStopped = true {
        didSet { update() }
    }

    /// Makes a wheel that does not turn.
    public init(style: Style = .medium) {
        super.init()
        self.style = style
        update()
    }

    /// Makes the wheel turn.
    public func startAnimating() {
        isAnimating = true
        update()
    }

    /// Stops the wheel.
    public func stopAnimating() {
        isAnimating = false
        update()
    }

    private func update() {
        isHidden = hidesWhenStopped && !isAnimating
    }
}
