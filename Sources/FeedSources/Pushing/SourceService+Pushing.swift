import FeedModel
import Foundation
import HTTPClient
import HTTPTypes
import Synchronization

/// Subscriptions at the hubs of sources, and pushes from them (W3C WebSub).
///
/// The content of a push is not read: it may be a part of the document, and the missing items would
/// be taken for removed. A push has its source fetched from the source's own address; so a hub can
/// cause no more than a conditional request now and then.
extension SourceService {
    /// The most redirects of a request to a hub (W3C WebSub §5.1).
    private static let hopLimit = 3

    /// Asks hubs for the subscriptions that are due, and to end the subscriptions that are not
    /// wanted any more.
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
    /// - Parameter completion: Gets the failure in words; `nil`: the hub has accepted the form.
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

    /// Returns the address that a hub redirects to (W3C WebSub §5.1); `nil`: it does not redirect.
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

    /// Whether a subscription has an id, the last part of its callback's address.
    package func isSubscriber(_ id: String) -> Bool { state.withLock { $0.isSubscriber(id) } }

    /// Answers a hub's question whether it was asked for a subscription, or for its end.
    ///
    /// - Returns: Whether the hub's question is confirmed.
    package func verifyPush(_ id: String, _ question: PushQuestion) -> Bool {
        let now = wall()
        let isAsked = state.withLock { $0.verify(id, question, now: now) }
        if isAsked { tellLeader(HubNews(id: id, question: question)) }
        return isAsked
    }

    /// Takes a push from a hub; without the right signature, the push is ignored (W3C WebSub §7.1).
    ///
    /// - Returns: Whether the signature is right.
    @discardableResult
    package func receivePush(_ id: String, _ body: [UInt8], signature: String?) -> Bool {
        guard let secret = state.withLock({ $0.secret(of: id) }),
            PushSignature.isRight(signature, of: body, secret: secret)
        else {
            pushes.ignored.add(1, ordering: .relaxed)
            return false
        }
        pushes.received.add(1, ordering: .relaxed)
        tellLeader(HubNews(id: id))
        take(HubNews(id: id))
        return true
    }

    /// Takes what another server heard of a hub.
    func take(_ words: String) {
        guard let news = try? JSONDecoder().decode(HubNews.self, from: Data(words.utf8)) else {
            return
        }
        take(news)
    }

    private func take(_ news: HubNews) {
        let now = wall()
        state.withLock { table in
            if let question = news.question {
                _ = table.verify(news.id, question, now: now)
            } else if table.isFetching {
                table.receive(news.id, now: now)
            }
        }
        tick()
    }

    /// Tells the leader what a hub has asked or pushed here, if the leader is another server.
    private func tellLeader(_ news: HubNews) {
        guard let words = try? JSONEncoder().encode(news) else { return }
        tellLeader(String(decoding: words, as: UTF8.self))
    }

    /// The number of pushes since the start, and the number of those that were ignored for their
    /// signature.
    package var pushCounts: (received: Int, ignored: Int) {
        (pushes.received.load(ordering: .relaxed), pushes.ignored.load(ordering: .relaxed))
    }
}

/// A hub's word that came to one of several servers.
private struct HubNews: Codable {
    /// The subscription.
    var id: String
    /// The question that was confirmed; `nil`: the hub has pushed.
    var question: PushQuestion?
}

/// Counters of pushes, for metrics.
final class PushCounters: Sendable {
    let received = Atomic<Int>(0)
    let ignored = Atomic<Int>(0)
}
