import Foundation

/// A control that a pull at the top of a scroll view starts: it turns, and sends `valueChanged`
/// once.
///
/// Follows `UIRefreshControl`.
@MainActor
public final class RefreshControl: Control {
    /// The room that it takes while it refreshes.
    public static let height = 60.0
    /// How far a pull past the top starts it.
    public static let threshold = 72.0

    /// Whether it refreshes.
    public private(set) var isRefreshing = false
    /// The text beside it, such as "Updated 3 min ago".
    public var attributedTitle: String?
    /// Its color, as `#rrggbb`; `nil`: the renderer's.
    public var tintColor: String?
    /// The indicator that turns.
    public let indicator = ActivityIndicator()

    private weak var scrollView: ScrollView?
    private var hasRoom = false
    /// Whether this drag started it already.
    private var hasStarted = false

    /// Makes one; put it on a scroll view by ``ScrollView/refreshControl``.
    public init() {
        super.init()
    }

    /// The scroll view, though it lies beside the content.
    public override var next: Responder? { scrollView ?? super.next }

    /// How far it is revealed: 0 hidden, 1 where it starts.
    public var progress: Double {
        guard let scrollView else { return 0 }
        let room = hasRoom ? RefreshControl.height : 0
        let pull = -scrollView.offset.y - scrollView.adjustedContentInset.top + room
        return min(max(pull / RefreshControl.threshold, 0), 1)
    }

    /// Starts it from code, without an event; at the top it comes into sight.
    public func beginRefreshing() {
        guard !isRefreshing else { return }
        let wasAtTop = scrollView?.isAtTop ?? false
        start()
        if wasAtTop, let scrollView, !scrollView.isDragging {
            let top = scrollView.ends(.vertical).lowerBound
            scrollView.setContentOffset(CGPoint(x: scrollView.offset.x, y: top), animated: true)
        }
    }

    /// Ends it: the room goes without a jump. Does nothing when it does not refresh.
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
        self.scrollView = scrollView
        if isRefreshing { start() }
    }

    func leave(_ scrollView: ScrollView) {
        giveRoomBack()
        self.scrollView = nil
    }

    func dragDidBegin() {
        hasStarted = isRefreshing
    }

    /// A finger pulls.
    func didPull(_ scrollView: ScrollView) {
        guard isEnabled, !isRefreshing, !hasStarted else { return }
        let pull = -scrollView.offset.y - scrollView.adjustedContentInset.top
        guard pull >= RefreshControl.threshold else { return }
        hasStarted = true
        start()
        sendActions(for: .valueChanged)
    }
}
