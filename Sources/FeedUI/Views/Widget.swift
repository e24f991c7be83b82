public import Foundation

/// A rectangle that receives touches and contains other widgets, like a view in UIKit.
///
/// A widget draws nothing: a renderer reads its properties.
///
/// Lengths are in points, or in any other unit of the renderer.
@MainActor
open class Widget: Responder {
    /// The rectangle in the superview's coordinates; in a scroll view, in those of its content.
    open var frame: CGRect {
        didSet { if frame.size != oldValue.size { boundsDidChange() } }
    }

    /// Whether the widget is not shown and gets no touches.
    open var isHidden = false

    /// Whether the widget gets touches.
    open var isUserInteractionEnabled = true

    /// The widget that contains this one.
    public private(set) weak var superview: Widget?

    /// The widgets that this one contains, the foremost last.
    public private(set) var subviews: [Widget] = []

    /// Makes a widget.
    public init(frame: CGRect = .zero) {
        self.frame = frame
        super.init()
    }

    /// The superview.
    open override var next: Responder? { superview }

    /// The window that contains the widget; `nil`: none.
    public var window: Window? { superview?.window }

    /// The point of the widget's own coordinates at its upper left corner: zero except in scroll
    /// views.
    var origin: CGPoint { .zero }

    /// Adds a widget in front of the other subviews.
    ///
    /// A widget that stays in its window keeps its touches and motions.
    open func addSubview(_ widget: Widget) {
        widget.setSuperview(self)
    }

    /// Removes the widget from its superview.
    open func removeFromSuperview() {
        setSuperview(nil)
    }

    private func setSuperview(_ widget: Widget?) {
        let old = window
        superview?.subviews.removeAll { $0 === self }
        superview = widget
        widget?.subviews.append(self)
        guard window !== old else { return }
        old?.widgetsDidLeave()
        windowDidChange()
    }

    /// Called when the widget was added to a window, or removed from it.
    func windowDidChange() {
        for subview in subviews { subview.windowDidChange() }
    }

    /// Called when the size has changed.
    open func boundsDidChange() {}

    /// Returns the foremost widget at a point, which may be this one.
    ///
    /// - Parameter point: A point in the superview's coordinates.
    /// - Returns: The widget; `nil`: the point is outside, or the widget gets no touches.
    open func hitTest(_ point: CGPoint) -> Widget? {
        guard !isHidden, isUserInteractionEnabled, frame.contains(point) else { return nil }
        let local = local(point)
        for subview in subviews.reversed() {
            if let hit = subview.hitTest(local) { return hit }
        }
        return self
    }

    /// Converts a point from the superview's coordinates to the widget's own.
    func local(_ point: CGPoint) -> CGPoint {
        CGPoint(x: point.x - frame.minX + origin.x, y: point.y - frame.minY + origin.y)
    }

    /// Converts a point from the window's coordinates to the widget's own.
    func fromWindow(_ point: CGPoint) -> CGPoint {
        local(superview?.fromWindow(point) ?? point)
    }

    /// Whether the widget gets all its touches, even inside a scroll view.
    var claimsTouches: Bool { false }

    /// Called when a finger goes down on the widget.
    open func touchesBegan(_ touch: Touch) {}
    /// Called when the finger moves.
    open func touchesMoved(_ touch: Touch) {}
    /// Called when the finger is lifted.
    open func touchesEnded(_ touch: Touch) {}
    /// Called when the touch is cancelled.
    open func touchesCancelled(_ touch: Touch) {}

    /// Advances animations to a time.
    func step(to time: Duration) {
        for subview in subviews { subview.step(to: time) }
    }

    /// Whether no animation is under way in the widget.
    var isAtRest: Bool { subviews.allSatisfy(\.isAtRest) }
}

/// The position of a finger, or of a mouse, at a time.
public struct Touch: Sendable {
    /// The position in the window's coordinates.
    public let location: CGPoint

    /// The time, by the window's clock.
    public let timestamp: Duration
}
