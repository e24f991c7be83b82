public import Foundation

/// A delegate that is notified of a scroll view's movements.
@MainActor
public protocol ScrollViewDelegate: AnyObject {
    /// Tells that the offset has changed.
    func scrollViewDidScroll(_ scrollView: ScrollView)
    /// Tells that a finger begins to drag the content.
    func scrollViewWillBeginDragging(_ scrollView: ScrollView)
    /// Tells that the finger was lifted, and whether the content continues to move.
    func scrollViewDidEndDragging(_ scrollView: ScrollView, willDecelerate: Bool)
    /// Tells that the content has come to rest after a drag.
    func scrollViewDidEndDecelerating(_ scrollView: ScrollView)
    /// Tells that ``ScrollView/scrollToTop(animated:)`` has reached the top.
    func scrollViewDidScrollToTop(_ scrollView: ScrollView)
    /// Tells that the adjusted inset has changed.
    func scrollViewDidChangeAdjustedContentInset(_ scrollView: ScrollView)
}

/// Empty implementations: each method is optional.
extension ScrollViewDelegate {
    public func scrollViewDidScroll(_ scrollView: ScrollView) {}
    public func scrollViewWillBeginDragging(_ scrollView: ScrollView) {}
    public func scrollViewDidEndDragging(_ scrollView: ScrollView, willDecelerate: Bool) {}
    public func scrollViewDidEndDecelerating(_ scrollView: ScrollView) {}
    public func scrollViewDidScrollToTop(_ scrollView: ScrollView) {}
    public func scrollViewDidChangeAdjustedContentInset(_ scrollView: ScrollView) {}
}

/// A widget that shows a part of content larger than itself, which fingers and code scroll.
///
/// Follows `UIScrollView`. Zooming, keyboards and layout guides mean nothing without views that
/// draw: `docs/UI.md` names each member that is left out, and why.
@MainActor
open class ScrollView: Widget {
    /// A direction of scrolling.
    public enum Axis: Sendable { case horizontal, vertical }

    /// Whether the safe area is added to the inset.
    public enum ContentInsetAdjustmentBehavior: Sendable { case automatic, never }

    /// The rate at which content slows down after a flick.
    public struct DecelerationRate: Sendable, Hashable {
        /// The fraction of the speed that remains after a millisecond.
        public let rawValue: Double
        /// Makes a rate.
        public init(rawValue: Double) { self.rawValue = rawValue }
        /// The rate for lists.
        public static let normal = DecelerationRate(rawValue: 0.998)
        /// The rate for pages.
        public static let fast = DecelerationRate(rawValue: 0.99)
    }

    /// The color style of scroll indicators.
    public enum IndicatorStyle: Sendable { case `default`, black, white }

    /// The delegate that is notified of movements.
    public weak var delegate: (any ScrollViewDelegate)?
    /// Whether fingers can scroll the content.
    ///
    /// Code always can.
    open var isScrollEnabled = true {
        didSet {
            guard !isScrollEnabled, isDragging else { return }
            endTracking(at: window?.time ?? .zero, isCancelled: true)
        }
    }
    /// Whether a drag keeps to the direction in which it began.
    open var isDirectionalLockEnabled = false
    /// Whether the content comes to rest only at multiples of the view's size.
    open var isPagingEnabled = false
    /// Whether ``scrollToTop(animated:)``, such as by a tap on the status bar, has an effect.
    open var scrollsToTop = true
    /// Whether the content can be dragged past its ends, and then bounces back.
    open var bounces = true
    /// Whether content that is not higher than the view bounces, too.
    open var alwaysBounceVertical = false
    /// Whether content that is not wider than the view bounces, too.
    open var alwaysBounceHorizontal = false
    /// The rate at which content slows down after a flick.
    open var decelerationRate = DecelerationRate.normal
    /// Whether touches reach the subviews only after a short delay, so that a scroll can begin.
    open var delaysContentTouches = true
    /// Whether a subview's touch is cancelled when the finger begins to scroll.
    open var canCancelContentTouches = true
    /// Whether there is a vertical indicator.
    open var showsVerticalScrollIndicator = true
    /// Whether there is a horizontal indicator.
    open var showsHorizontalScrollIndicator = true
    /// The room around the vertical indicator.
    open var verticalScrollIndicatorInsets = ContentInsets()
    /// The room around the horizontal indicator.
    open var horizontalScrollIndicatorInsets = ContentInsets()
    /// The color style of the indicators.
    open var indicatorStyle = IndicatorStyle.default
    /// The name under which an app keeps the scroll position over restarts.
    open var restorationIdentifier: String?
    /// The room at the view's edges that other parts of the window cover.
    open var safeAreaInsets = ContentInsets() {
        didSet { insetDidChange(from: adjusted(ownInset, oldValue)) }
    }
    /// Whether the safe area is added to the inset.
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic {
        didSet {
            insetDidChange(from: oldValue == .never ? ownInset : ownInset + safeAreaInsets)
        }
    }
    /// Called when the renderer should show the indicators for a moment.
    public var indicatorsDidFlash: (() -> Void)?

    /// Whether a finger is on the view.
    public internal(set) var isTracking = false
    /// Whether a finger is dragging the content.
    public internal(set) var isDragging = false
    /// Whether the content is moving after a drag.
    public internal(set) var isDecelerating = false

    var offset = CGPoint.zero
    var ownInset = ContentInsets()
    var size = CGSize.zero
    var pan = ScrollPan()
    var motions: [Axis: ScrollAxis.Motion] = [:]

    /// The refresh control that a pull at the top starts; `nil`: none.
    open var refreshControl: RefreshControl? {
        didSet {
            guard oldValue !== refreshControl else { return }
            oldValue?.leave(self)
            refreshControl?.join(self)
        }
    }

    override var origin: CGPoint { offset }

    /// Returns whether a subview may get a touch on it.
    open func touchesShouldBegin(_ touch: Touch, in content: Widget) -> Bool { true }

    /// Returns whether a subview's touch may be cancelled to scroll; by default not that of a
    /// control.
    open func touchesShouldCancel(in content: Widget) -> Bool { !(content is Control) }

    /// Called when the adjusted inset has changed.
    open func adjustedContentInsetDidChange() {}

    /// Called when the offset has changed, before the delegate is notified.
    open func didScroll() {}

    /// Returns the delay after which a subview gets a touch.
    func touchDelay(for content: Widget) -> Duration { .milliseconds(150) }

    /// Called when a drag has ended, after the delegate was notified.
    open func didEndDragging() {}

    /// Returns the scroll position, to be stored for a restart.
    open func encodeRestorableState() -> RestorableState {
        RestorableState(x: offset.x, y: offset.y, isAtTop: isAtTop, item: nil, distance: nil)
    }

    /// Scrolls to a stored position.
    open func decodeRestorableState(_ state: RestorableState) {
        setContentOffset(CGPoint(x: state.x, y: state.y))
    }

    /// The offset at which the content is scrolled to its top.
    var top: CGPoint { CGPoint(x: offset.x, y: ends(.vertical).lowerBound) }

    /// Whether the content is scrolled to its top.
    var isAtTop: Bool { offset.y <= top.y + 0.5 }

    open override func boundsDidChange() {
        settle()
    }

    override func step(to time: Duration) {
        stepMotions(to: time)
        super.step(to: time)
    }

    override func windowDidChange() {
        super.windowDidChange()
        finishMotionsAtOnce()
        settle()
    }

    override var isAtRest: Bool { motions.isEmpty && super.isAtRest }
}

/// Sets the content's size and insets, and computes how far they let the view scroll.
extension ScrollView {
    /// The size of the content, which limits scrolling.
    public var contentSize: CGSize {
        get { size }
        set {
            size = newValue
            settle()
        }
    }

    /// The room around the content.
    public var contentInset: ContentInsets {
        get { ownInset }
        set {
            guard newValue != ownInset else { return }
            let old = adjustedContentInset
            ownInset = newValue
            insetDidChange(from: old)
        }
    }

    /// The room around the content, including the safe area.
    public var adjustedContentInset: ContentInsets { adjusted(ownInset, safeAreaInsets) }

    func adjusted(_ inset: ContentInsets, _ safe: ContentInsets) -> ContentInsets {
        contentInsetAdjustmentBehavior == .never ? inset : inset + safe
    }

    func insetDidChange(from old: ContentInsets) {
        guard adjustedContentInset != old else { return }
        adjustedContentInsetDidChange()
        delegate?.scrollViewDidChangeAdjustedContentInset(self)
        pan.begin(at: offset, in: self)
        settle()
    }

    /// Returns the range of offsets at which the content can rest.
    func ends(_ axis: Axis) -> ClosedRange<Double> {
        let (before, after) = inset(axis)
        let content = axis == .vertical ? size.height : size.width
        return -before...max(-before, content + after - extent(axis))
    }

    /// Returns the room before and after the content, including the safe area.
    func inset(_ axis: Axis) -> (before: Double, after: Double) {
        let inset = adjustedContentInset
        return axis == .vertical ? (inset.top, inset.bottom) : (inset.left, inset.right)
    }

    func extent(_ axis: Axis) -> Double { axis == .vertical ? frame.height : frame.width }

    /// Returns whether a finger can move the content in a direction.
    func canScroll(_ axis: Axis) -> Bool {
        let ends = ends(axis)
        return ends.upperBound > ends.lowerBound || alwaysBounces(axis)
    }

    func alwaysBounces(_ axis: Axis) -> Bool {
        guard bounces else { return false }
        return axis == .vertical
            ? alwaysBounceVertical || refreshControl != nil : alwaysBounceHorizontal
    }

    func bounces(_ axis: Axis) -> Bool { bounces && canScroll(axis) }
}

/// The scroll position of a view, to be stored for a restart.
public struct RestorableState: Codable, Sendable, Hashable {
    /// The offset.
    public var x: Double, y: Double
    /// Whether the content was scrolled to its top.
    public var isAtTop: Bool
    /// The identifier of the first row in sight; `nil`: none is known.
    public var item: String?
    /// The distance of that row from the view's top, in points.
    public var distance: Double?
}
