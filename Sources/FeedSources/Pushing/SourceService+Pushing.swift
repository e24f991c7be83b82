import FeedModel
import HTTPClient
import HTTPTypes
import Synchronization

/// What is pushed by the hubs of sources (W3C WebSub).
///
/// What a push holds is not read: it may be a part of the document, and then what is missing would
/// be taken for removed. It has its source fetched, from where it is; so a hub can cause no more
/// than a conditional request now and then.
extension SourceService {
    /// How often hubs are redirected to elsewhere (W3C WebSub §5.1).
    private static let hopLimit = 3

    /// Asks hubs for the subscriptions that are due, and to end those that nobody wants any more.
    func subscribe(now: Int) {
        for (feed, push) in state.withLock({ $0.dueSubscriptions(now: now) }) {
            let settings = state.withLock { $0.entries[feed]?.settings }
            ask(push.hub, push.form, settings, hops: 0) { [weak self] failure in
                self?.state.withLock { $0.endAsking(feed, hub: push.hub, failure: failure) }
            }
        }
        for ending in state.withLock({ $0.dueEndings(now: now) }) {
            ask(ending.push.hub, ending.push.endingForm, ending.settings, hops: 0) { _ in }
        }
    }

    /// Sends a form to a hub.
    ///
    /// - Parameter completion: Is told what was wrong.
    private func ask(
        _ address: String,
        _ form: String,
        _ settings: SourceSettings?,
        hops: Int,
        completion: @escaping @Sendable (String?) -> Void
    ) {
        let fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        var request = HTTPClient.Request(.post, address, fields: fields, body: Array(form.utf8))
        request.limits.bodyByteCount = 64 << 10
        request.allowsAnyAddress = settings?.allowsPrivateHub(address) ?? false
        request.proxy = settings?.proxy
        request.authorities = settings?.authorities(ofHub: address)
        let receiver = FetchReceiver { [weak self] result in
            guard let self else { return }
            worker.submit {
                if let target = SourceService.target(result, from: address), hops < Self.hopLimit {
                    self.ask(target, form, settings, hops: hops + 1, completion: completion)
                } else {
                    completion(SourceService.failure(result))
                }
            }
        }
        client.start(request, receiver)
    }

    /// Where a hub is that has moved (W3C WebSub §5.1).
    private static func target(
        _ result: Result<HTTPClient.Response, HTTPClientError>,
        from address: String
    ) -> String? {
        guard case .success(let response) = result, [307, 308].contains(response.status) else {
            return nil
        }
        return SourceFetch.location(response, from: address)
    }

    private static func failure(_ result: Result<HTTPClient.Response, HTTPClientError>) -> String? {
        switch result {
        case .failure(let error): "the hub cannot be asked: \(error)"
        case .success(let response):
            (200...299).contains(response.status) ? nil : "the hub answered \(response.status)"
        }
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
