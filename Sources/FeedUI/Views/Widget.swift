public import Foundation

/// A rectangle that gets touches and has others within: what a view is in UIKit. It draws nothing.
///
/// Lengths are in points, or whatever else a renderer takes them for.
@MainActor
open class Widget: Responder {
    /// Its place in the superview's coordinates; in a scroll view, those of the content.
    open var frame: CGRect {
        didSet { if frame.size != oldValue.size { boundsDidChange() } }
    }

    /// Whether it is left out.
    open var isHidden = false

    /// Whether it gets touches.
    open var isUserInteractionEnabled = true

    /// The widget that it lies in.
    public private(set) weak var superview: Widget?

    /// The widgets that lie in it, the foremost last.
    public private(set) var subviews: [Widget] = []

    weak var hostWindow: Window?

    /// Makes a widget.
    public init(frame: CGRect = .zero) {
        self.frame = frame
        super.init()
    }

    /// The superview.
    open override var next: Responder? { superview }

    /// The window that it is in.
    public var window: Window? { hostWindow ?? superview?.window }

    /// The point of its own coordinates that is shown at its origin; other than zero in scroll
    /// views.
    var origin: CGPoint { .zero }

    /// Puts a widget in front of the others.
    open func addSubview(_ widget: Widget) {
        widget.removeFromSuperview()
        widget.superview = self
        subviews.append(widget)
        if widget.window != nil { widget.windowDidChange() }
    }

    /// Takes it out of its superview.
    open func removeFromSuperview() {
        let hadWindow = window != nil
        superview?.subviews.removeAll { $0 === self }
        superview = nil
        hostWindow = nil
        if hadWindow { windowDidChange() }
    }

    /// Is called when it has come into a window, or out of one.
    func windowDidChange() {
        for subview in subviews { subview.windowDidChange() }
    }

    /// Is called when the size has changed.
    open func boundsDidChange() {}

    /// The foremost widget at a point, which may be this one.
    ///
    /// - Parameter point: In the coordinates of the superview.
    /// - Returns: `nil` outside.
    open func hitTest(_ point: CGPoint) -> Widget? {
        guard !isHidden, isUserInteractionEnabled, frame.contains(point) else { return nil }
        let local = local(point)
        for subview in subviews.reversed() {
            if let hit = subview.hitTest(local) { return hit }
        }
        return self
    }

    /// A point of the superview in own coordinates.
    func local(_ point: CGPoint) -> CGPoint {
        CGPoint(x: point.x - frame.minX + origin.x, y: point.y - frame.minY + origin.y)
    }

    /// A point of the window in own coordinates.
    func fromWindow(_ point: CGPoint) -> CGPoint {
        local(superview?.fromWindow(point) ?? point)
    }

    /// Other after it came to show something else: a touch is for one of these alone.
    var use: Int { 0 }

    /// Whether a touch is its own from the start, whatever scrolls behind it.
    var claimsTouches: Bool { false }

    /// A finger went down on it.
    open func touchesBegan(_ touch: Touch) {}
    /// The finger moves.
    open func touchesMoved(_ touch: Touch) {}
    /// The finger was lifted.
    open func touchesEnded(_ touch: Touch) {}
    /// The touch was taken away.
    open func touchesCancelled(_ touch: Touch) {}

    /// Goes on to a time; for what moves by itself.
    func step(to time: Duration) {
        for subview in subviews { subview.step(to: time) }
    }

    /// Whether nothing in it moves by itself.
    var isAtRest: Bool { subviews.allSatisfy(\.isAtRest) }
}

/// A finger, or what stands for one.
public struct Touch: Sendable {
    /// Where it is, in the window's coordinates.
    public let location: CGPoint

    /// When that was.
    public let timestamp: Duration
}
