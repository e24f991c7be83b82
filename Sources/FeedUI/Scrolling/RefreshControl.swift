import Foundation

/// A control above a scroll view's content: a pull at the top starts its activity indicator and
/// sends `valueChanged`, and the app then refreshes the content.
///
/// Follows `UIRefreshControl`.
@MainActor
public final class RefreshControl: Control {
    /// The height of the room that the control takes while it refreshes, in points.
    public static let height = 60.0
    /// The distance in points that the content is pulled past its top to start a refresh.
    public static let threshold = 72.0

    /// Whether a refresh is under way.
    public private(set) var isRefreshing = false
    /// The text beside the indicator, such as "Updated 3 min ago".
    public var attributedTitle: String?
    /// The color of the control, as `#rrggbb`; `nil`: the renderer's default.
    public var tintColor: String?
    /// The indicator, which turns during a refresh.
    public let indicator = ActivityIndicator()

    private weak var scrollView: ScrollView?
    private var hasRoom = false
    /// Whether the current drag has started a refresh, so that it does not start another.
    private var hasStarted = false

    /// Makes a control, to be set as ``ScrollView/refreshControl``.
    public init() {
        super.init()
    }

    /// The scroll view, though the control is not one of its subviews.
    public override var next: Responder? { scrollView ?? super.next }

    /// The part of the threshold that the content is pulled: 0 hidden, 1 starting a refresh.
    public var progress: Double {
        guard let scrollView else { return 0 }
        let room = hasRoom ? RefreshControl.height : 0
        let pull = -scrollView.offset.y - scrollView.adjustedContentInset.top + room
        return min(max(pull / RefreshControl.threshold, 0), 1)
    }

    /// Starts a refresh by code, without an event.
    ///
    /// At the top of the content, the control scrolls into sight.
    public func beginRefreshing() {
        guard !isRefreshing else { return }
        let wasAtTop = scrollView?.isAtTop ?? false
        start()
        if wasAtTop, let scrollView, !scrollView.isDragging {
            scrollView.setContentOffset(scrollView.top, animated: true)
        }
    }

    /// Ends a refresh.
    ///
    /// The control's room closes without a jump of the content. Without a refresh under way, this
    /// does nothing.
    public func endRefreshing() {
        guard isRefreshing else { return }
        isRefreshing = false
        indicator.stopAnimating()
        giveRoomBack()
    }

    private func start() {
        isRefreshing = true
        indicator.startAnimating()
        guard !hasRoom, let scrollView else { return }
        hasRoom = true
        scrollView.contentInset.top += RefreshControl.height
    }

    private func giveRoomBack() {
        guard hasRoom else { return }
        hasRoom = false
        scrollView?.contentInset.top -= RefreshControl.height
    }

    func join(_ scrollView: ScrollView) {
        self.scrollView?.refreshControl = nil
        self.scrollView = scrollView
        // A view that is gone took its room with it.
        hasRoom = false
        if isRefreshing { start() }
    }

    func leave(_ scrollView: ScrollView) {
        giveRoomBack()
        self.scrollView = nil
    }

    func dragDidBegin() {
        hasStarted = isRefreshing
    }

    /// Starts a refresh when a drag has pulled the content far enough.
    func didPull(_ scrollView: ScrollView) {
        guard isEnabled, !isRefreshing, !hasStarted else { return }
        let pull = -scrollView.offset.y - scrollView.adjustedContentInset.top
        guard pull >= RefreshControl.threshold else { return }
        hasStarted = true
        start()
        sendActions(for: .valueChanged)
    }
}
