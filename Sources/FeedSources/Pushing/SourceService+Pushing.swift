import FeedModel
import HTTPClient
import HTTPTypes
import Synchronization

/// What is pushed by the hubs of sources (W3C WebSub).
///
/// What a push holds is not read: it may be a part of the document, and then what is missing would be
/// taken for removed. It has its source fetched, from where it is; so a hub can cause no more than a
/// conditional request now and then.
extension SourceService {
    /// How often hubs are redirected to elsewhere (W3C WebSub §5.1).
    private static let hopLimit = 3

    /// Asks hubs for the subscriptions that are due.
    func subscribe(now: Int) {
        for (feed, push) in state.withLock({ $0.dueSubscriptions(now: now) }) {
            ask(push, push.hub, feed, hops: 0)
        }
    }

    private func ask(_ push: PushSubscription, _ address: String, _ feed: FeedName, hops: Int) {
        let fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let body = Array(push.form.utf8)
        var request = HTTPClient.Request(.post, address, fields: fields, body: body)
        request.limits.bodyByteCount = 64 << 10
        let settings = state.withLock { $0.entries[feed]?.settings }
        request.allowsAnyAddress = settings?.allowsPrivateHub(address) ?? false
        request.proxy = settings?.proxy
        let receiver = FetchReceiver { [weak self] result in
            guard let self else { return }
            worker.submit { self.take(result, push, address, feed, hops: hops) }
        }
        client.start(request, receiver)
    }

    private func take(
        _ result: Result<HTTPClient.Response, HTTPClientError>,
        _ push: PushSubscription,
        _ address: String,
        _ feed: FeedName,
        hops: Int
    ) {
        var failure: String?
        switch result {
        case .failure(let error): failure = "the hub cannot be asked: \(error)"
        case .success(let response):
            if [307, 308].contains(response.status), hops < SourceService.hopLimit,
                let target = SourceFetch.location(response, from: address)
            {
                return ask(push, target, feed, hops: hops + 1)
            }
            if !(200...299).contains(response.status) {
                failure = "the hub answered \(response.status)"
            }
        }
        state.withLock { $0.endAsking(feed, hub: push.hub, failure: failure) }
    }

    /// Whether anything is pushed to an address.
    package func isSubscriber(_ id: String) -> Bool { state.withLock { $0.isSubscriber(id) } }

    /// A hub asks whether it was asked for a subscription.
    ///
    /// - Returns: Whether it was.
    package func verifyPush(_ id: String, _ question: PushQuestion) -> Bool {
        let now = wall()
        return state.withLock { $0.verify(id, question, now: now) }
    }

    /// Takes what a hub pushes; without the right signature it is ignored (W3C WebSub §7.1).
    ///
    /// - Returns: Whether it counts.
    @discardableResult
    package func receivePush(_ id: String, _ body: [UInt8], signature: String?) -> Bool {
        guard let secret = state.withLock({ $0.secret(of: id) }),
            PushSignature.isRight(signature, of: body, secret: secret)
        else {
            pushes.ignored.add(1, ordering: .relaxed)
            return false
        }
        pushes.received.add(1, ordering: .relaxed)
        let now = wall()
        state.withLock { $0.receive(id, now: now) }
        tick()
        return true
    }

    /// How many pushes have come since the start, and how many were ignored for their signature.
    package var pushCounts: (received: Int, ignored: Int) {
        (pushes.received.load(ordering: .relaxed), pushes.ignored.load(ordering: .relaxed))
    }
}

/// Counts pushes.
final class PushCounters: Sendable {
    let received = Atomic<Int>(0)
    let ignored = Atomic<Int>(0)
}
