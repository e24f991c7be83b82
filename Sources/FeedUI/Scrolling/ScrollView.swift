public import Foundation

/// A delegate that is told of a scroll view's movement.
@MainActor
public protocol ScrollViewDelegate: AnyObject {
    /// The offset changed.
    func scrollViewDidScroll(_ scrollView: ScrollView)
    /// A finger begins to move the content.
    func scrollViewWillBeginDragging(_ scrollView: ScrollView)
    /// The finger was lifted; whether the content goes on by itself.
    func scrollViewDidEndDragging(_ scrollView: ScrollView, willDecelerate: Bool)
    /// The content has come to rest after a finger moved it.
    func scrollViewDidEndDecelerating(_ scrollView: ScrollView)
    /// The content was scrolled to its top by a command for that.
    func scrollViewDidScrollToTop(_ scrollView: ScrollView)
    /// The adjusted inset changed.
    func scrollViewDidChangeAdjustedContentInset(_ scrollView: ScrollView)
}

/// Delegates hear what they want to.
extension ScrollViewDelegate {
    public func scrollViewDidScroll(_ scrollView: ScrollView) {}
    public func scrollViewWillBeginDragging(_ scrollView: ScrollView) {}
    public func scrollViewDidEndDragging(_ scrollView: ScrollView, willDecelerate: Bool) {}
    public func scrollViewDidEndDecelerating(_ scrollView: ScrollView) {}
    public func scrollViewDidScrollToTop(_ scrollView: ScrollView) {}
    public func scrollViewDidChangeAdjustedContentInset(_ scrollView: ScrollView) {}
}

/// A widget whose origin moves over content larger than itself.
///
/// Follows `UIScrollView`. Zooming, keyboards and layout guides mean nothing without views that
/// draw: `docs/UI.md` names each member that is left out, and why.
@MainActor
open class ScrollView: Widget {
    /// A direction.
    public enum Axis: Sendable { case horizontal, vertical }

    /// Whether the safe area is added to the inset.
    public enum ContentInsetAdjustmentBehavior: Sendable { case automatic, never }

    /// How fast content that goes on by itself becomes slower.
    public struct DecelerationRate: Sendable, Hashable {
        /// How much of the speed is left after a millisecond.
        public let rawValue: Double
        /// Takes a rate.
        public init(rawValue: Double) { self.rawValue = rawValue }
        /// As lists do.
        public static let normal = DecelerationRate(rawValue: 0.998)
        /// As pages do.
        public static let fast = DecelerationRate(rawValue: 0.99)
    }

    /// How indicators look.
    public enum IndicatorStyle: Sendable { case `default`, black, white }

    /// Hears of its movement.
    public weak var delegate: (any ScrollViewDelegate)?
    /// Whether fingers move it; code always does.
    open var isScrollEnabled = true
    /// Whether a drag keeps to the direction in which it began.
    open var isDirectionalLockEnabled = false
    /// Whether it comes to rest at multiples of its size.
    open var isPagingEnabled = false
    /// Whether what leads to the top, such as a tap on the status bar, moves it.
    open var scrollsToTop = true
    /// Whether content goes past its ends.
    open var bounces = true
    /// Whether content that is not higher than the view does, too.
    open var alwaysBounceVertical = false
    /// Whether content that is not wider than the view does, too.
    open var alwaysBounceHorizontal = false
    /// How fast content that goes on by itself becomes slower.
    open var decelerationRate = DecelerationRate.normal
    /// Whether a finger is held back for a moment from what is in it.
    open var delaysContentTouches = true
    /// Whether a finger that moves is taken away from what is in it.
    open var canCancelContentTouches = true
    /// Whether there is an indicator.
    open var showsVerticalScrollIndicator = true
    /// Whether there is an indicator.
    open var showsHorizontalScrollIndicator = true
    /// Room around the indicator.
    open var verticalScrollIndicatorInsets = ContentInsets()
    /// Room around the indicator.
    open var horizontalScrollIndicatorInsets = ContentInsets()
    /// How indicators look.
    open var indicatorStyle = IndicatorStyle.default
    /// Under which its place is kept over restarts.
    open var restorationIdentifier: String?
    /// Room that something else takes at the window's edges.
    open var safeAreaInsets = ContentInsets() {
        didSet { insetDidChange(from: adjusted(ownInset, oldValue)) }
    }
    /// Whether that is added to the inset.
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic {
        didSet {
            insetDidChange(from: oldValue == .never ? ownInset : ownInset + safeAreaInsets)
        }
    }
    /// Called when indicators are to be shown for a moment.
    public var indicatorsDidFlash: (() -> Void)?

    /// Whether a finger is down on it.
    public internal(set) var isTracking = false
    /// Whether a finger moves it.
    public internal(set) var isDragging = false
    /// Whether it moves by itself after a finger did.
    public internal(set) var isDecelerating = false

    var offset = CGPoint.zero
    var ownInset = ContentInsets()
    var size = CGSize.zero
    var pan = ScrollPan()
    var motions: [Axis: ScrollAxis.Motion] = [:]

    /// Pulls at the top start it.
    open var refreshControl: RefreshControl? {
        didSet {
            guard oldValue !== refreshControl else { return }
            oldValue?.leave(self)
            refreshControl?.join(self)
        }
    }

    override var origin: CGPoint { offset }

    /// Whether a touch in its content may go to that.
    open func touchesShouldBegin(_ touch: Touch, in content: Widget) -> Bool { true }

    /// Whether a touch may be taken away from its content; not from controls, where nothing else is
    /// said.
    open func touchesShouldCancel(in content: Widget) -> Bool { !(content is Control) }

    /// Is called when the adjusted inset has changed.
    open func adjustedContentInsetDidChange() {}

    /// Is called when the offset has changed, before the delegate hears of it.
    open func didScroll() {}

    /// The time for which a finger is held back from something in it.
    func touchDelay(for content: Widget) -> Duration { .milliseconds(150) }

    /// A finger was lifted that had moved the content; before it goes on.
    open func didEndDragging() {}

    /// Where it is, to be kept over a restart.
    open func encodeRestorableState() -> RestorableState {
        RestorableState(x: offset.x, y: offset.y, isAtTop: isAtTop, item: nil, distance: nil)
    }

    /// Goes to where it was.
    open func decodeRestorableState(_ state: RestorableState) {
        setContentOffset(CGPoint(x: state.x, y: state.y))
    }

    /// Whether nothing is above what is seen.
    var isAtTop: Bool { offset.y <= ends(.vertical).lowerBound + 0.5 }

    open override func boundsDidChange() {
        settle()
    }

    override func step(to time: Duration) {
        stepMotions(to: time)
        super.step(to: time)
    }

    override func windowDidChange() {
        super.windowDidChange()
        settle()
    }

    override var isAtRest: Bool { motions.isEmpty && super.isAtRest }
}

/// Content and insets.
extension ScrollView {
    /// The size of the content, which says where to stop.
    public var contentSize: CGSize {
        get { size }
        set {
            size = newValue
            settle()
        }
    }

    /// Room that is added around the content.
    public var contentInset: ContentInsets {
        get { ownInset }
        set {
            guard newValue != ownInset else { return }
            let old = adjustedContentInset
            ownInset = newValue
            insetDidChange(from: old)
        }
    }

    /// The inset with what the safe area adds.
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

    /// The offsets at which content can rest.
    func ends(_ axis: Axis) -> ClosedRange<Double> {
        let inset = adjustedContentInset
        let (before, after, content, extent) =
            axis == .vertical
            ? (inset.top, inset.bottom, size.height, frame.height)
            : (inset.left, inset.right, size.width, frame.width)
        return -before...max(-before, content + after - extent)
    }

    func extent(_ axis: Axis) -> Double { axis == .vertical ? frame.height : frame.width }

    /// Whether a finger can move it in a direction.
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

/// Where it is, for a restart.
public struct RestorableState: Codable, Sendable, Hashable {
    /// The offset.
    public var x: Double, y: Double
    /// Whether it was at its top.
    public var isAtTop: Bool
    /// The item of the first row in sight, of a table that knows items.
    public var item: String?
    /// How far that is below the view's top.
    public var distance: Double?
}
