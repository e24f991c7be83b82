public import Foundation

/// The delegate that a refreshing scroll view asks for new data and hands it to.
@MainActor
public protocol RefreshingScrollViewDelegate: AnyObject {
    /// Asks for new data; the delegate answers by ``RefreshingScrollView/finish(_:)``.
    func refreshingScrollViewRequests(_ view: RefreshingScrollView)
    /// Hands over new data that has come.
    func refreshingScrollView(_ view: RefreshingScrollView, needsRefresh data: String)
    /// Tells that the data could not be had.
    func refreshingScrollView(_ view: RefreshingScrollView, didFail reason: String)
}

/// An example of a look of one's own, made of the pieces that are there: a header that sticks to
/// the top, and an activity indicator below it while it refreshes.
@MainActor
public final class RefreshingScrollView: ScrollView {
    /// The room that it takes while it refreshes.
    public static let room = 50.0
    /// The offset past the top at which a pull that is let go has it refresh.
    public static let criticalOffset = -80.0

    /// The header, which sticks to the top.
    public let header = Widget()
    /// The indicator below the header, which turns while it refreshes.
    public let indicator = ActivityIndicator()
    /// Whether it refreshes.
    public private(set) var isRefreshing = false
    /// The delegate that it asks for new data.
    public weak var refreshDelegate: (any RefreshingScrollViewDelegate)?

    /// Makes one.
    public override init(frame: CGRect = .zero) {
        super.init(frame: frame)
        addSubview(header)
        addSubview(indicator)
    }

    /// Has it refresh; at the top its indicator comes into sight.
    public func refresh() {
        guard !isRefreshing else { return }
        let wasAtTop = isAtTop
        isRefreshing = true
        contentInset.top += RefreshingScrollView.room
        indicator.startAnimating()
        if wasAtTop, !isDragging, !isDecelerating {
            setContentOffset(CGPoint(x: offset.x, y: ends(.vertical).lowerBound), animated: true)
        }
        refreshDelegate?.refreshingScrollViewRequests(self)
    }

    /// Takes what came of the request.
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

    /// Refreshes after a pull past the critical offset.
    public override func didEndDragging() {
        if offset.y <= RefreshingScrollView.criticalOffset - contentInset.top { refresh() }
    }

    private func placeHeader() {
        header.frame.origin.y = offset.y + adjustedContentInset.top - contentInset.top
    }
}

/// Why something that an app asked of the user interface's core cannot be done.
public struct FeedUIError: Error, Hashable, CustomStringConvertible {
    /// In words, with what and where.
    public let reason: String

    /// Takes the words.
    public init(_ reason: String) { self.reason = reason }

    /// The words.
    public var description: String { reason }
}
