public import Foundation

/// The delegate of a ``RefreshingScrollView``, which fetches new data and shows it.
@MainActor
public protocol RefreshingScrollViewDelegate: AnyObject {
    /// Asks for new data. The delegate calls ``RefreshingScrollView/finish(_:)`` with the result.
    func refreshingScrollViewRequests(_ view: RefreshingScrollView)
    /// Hands over the new data.
    func refreshingScrollView(_ view: RefreshingScrollView, needsRefresh data: String)
    /// Tells that the data could not be fetched.
    func refreshingScrollView(_ view: RefreshingScrollView, didFail reason: String)
}

/// An example of a custom pull-to-refresh: a scroll view with a header that sticks to the top, and
/// an activity indicator below the header during a refresh.
@MainActor
public final class RefreshingScrollView: ScrollView {
    /// The height of the room above the content during a refresh, in points.
    public static let room = 50.0
    /// The offset in points past the top from which on releasing a pull starts a refresh.
    public static let criticalOffset = -80.0

    /// The header, which sticks to the top.
    public let header = Widget()
    /// The indicator below the header, which turns during a refresh.
    public let indicator = ActivityIndicator()
    /// Whether a refresh is under way.
    public private(set) var isRefreshing = false
    /// The delegate that fetches the data.
    public weak var refreshDelegate: (any RefreshingScrollViewDelegate)?

    /// Makes a view with an empty header.
    public override init(frame: CGRect = .zero) {
        super.init(frame: frame)
        addSubview(header)
        addSubview(indicator)
    }

    /// Starts a refresh.
    ///
    /// At the top of the content, the indicator scrolls into sight.
    public func refresh() {
        guard !isRefreshing else { return }
        let wasAtTop = isAtTop
        isRefreshing = true
        contentInset.top += RefreshingScrollView.room
        indicator.startAnimating()
        if wasAtTop, !isDragging, !isDecelerating {
            setContentOffset(top, animated: true)
        }
        refreshDelegate?.refreshingScrollViewRequests(self)
    }

    /// Ends a refresh, and tells the delegate its result.
    public func finish(_ result: Result<String, FeedUIError>) {
        guard isRefreshing else { return }
        isRefreshing = false
        contentInset.top -= RefreshingScrollView.room
        indicator.stopAnimating()
        switch result {
        case .success(let data): refreshDelegate?.refreshingScrollView(self, needsRefresh: data)
        case .failure(let error):
            refreshDelegate?.refreshingScrollView(self, didFail: error.reason)
        }
    }

    /// Keeps the header at the top.
    public override func didScroll() { placeHeader() }

    /// Keeps the header at the top.
    public override func adjustedContentInsetDidChange() { placeHeader() }

    /// Starts a refresh after a pull past the critical offset.
    public override func didEndDragging() {
        if offset.y <= RefreshingScrollView.criticalOffset - adjustedContentInset.top { refresh() }
    }

    private func placeHeader() {
        header.frame.origin.y = offset.y + adjustedContentInset.top - contentInset.top
    }
}

/// An error of a call that a control cannot carry out, such as updates that do not fit the rows.
public struct FeedUIError: Error, Hashable, CustomStringConvertible {
    /// The reason in words.
    public let reason: String

    /// Makes an error with a reason.
    public init(_ reason: String) { self.reason = reason }

    /// The reason in words.
    public var description: String { reason }
}
