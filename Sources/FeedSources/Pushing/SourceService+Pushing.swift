package import FeedAPI
import Foundation
import HTTPClient
import HTTPTypes
import Synchronization

/// Subscriptions at the hubs of sources, and pushes from them (W3C WebSub).
///
/// The content of a push is not read: it may be a part of the document, and the missing items would
/// be taken for removed. Instead, the source is fetched from its own address, so a hub can cause no
/// more than a conditional request now and then.
extension SourceService {
    /// The most redirects of a request to a hub (W3C WebSub §5.1).
    private static let hopLimit = 3

    /// Asks hubs for the subscriptions that are due, and to end the subscriptions that are not
    /// wanted any more.
    func subscribe(now: Int) {
        for (feed, push, settings) in table.withLock({ $0.dueSubscriptions(now: now) }) {
            begin { service in
                let failure = await service.ask(push.hub, push.form, settings)
                service.table.withLock { $0.endAsking(feed, hub: push.hub, failure: failure) }
            }
        }
        for ending in table.withLock({ $0.dueEndings(now: now) }) {
            begin { service in
                _ = await service.ask(ending.push.hub, ending.push.endingForm, ending.settings)
            }
        }
    }

    /// Sends a form to a hub, and returns the failure in words; `nil`: the hub has accepted it.
    private func ask(
        _ hub: String,
        _ form: String,
        _ settings: SourceSettings
    ) async -> String? {
        var address = hub
        var hops = 0
        while true {
            let fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let body = Array(form.utf8)
            var request = HTTPClient.Request(.post, address, fields: fields, body: body)
            request.limits.bodyByteCount = 64 << 10
            request.allowsAnyAddress = settings.allowsPrivateHub(address)
            request.proxy = settings.proxy
            request.authorities = settings.authorities(ofHub: address)
            switch await client.result(of: request) {
            case .failure(let error): return "the hub cannot be asked: \(error)"
            case .success(let response):
                if [307, 308].contains(response.status), hops < Self.hopLimit,
                    let target = SourceFetch.location(response, from: address)
                {
                    (address, hops) = (target, hops + 1)
                } else if (200...299).contains(response.status) {
                    return nil
                } else {
                    return "the hub answered \(response.status)"
                }
            }
        }
    }

    /// Returns whether a subscription has this id, the last part of its callback's address.
    package func isSubscriber(_ id: String) -> Bool {
        table.withLock { $0.subscribers[id] != nil }
    }

    /// Answers a hub's verification request (W3C WebSub §5.3), and returns whether to confirm it;
    /// it is then about a subscription, or its end.
    package func verifyPush(_ id: String, _ question: SourceHubQuestion) -> Bool {
        let now = wall()
        let isAsked = table.withLock { $0.verify(id, question, now: now) }
        if isAsked { tellLeader(HubEvent(id: id, question: question)) }
        return isAsked
    }

    /// Takes a push from a hub; without the right signature, the push is ignored (W3C WebSub §7.1).
    ///
    /// - Returns: Whether the signature is right.
    @discardableResult
    package func receivePush(_ id: String, _ body: [UInt8], signature: String?) -> Bool {
        guard let secret = table.withLock({ $0.secret(of: id) }),
            PushSignature.isRight(signature, of: body, secret: secret)
        else {
            ignoredPushCount.add(1, ordering: .relaxed)
            return false
        }
        receivedPushCount.add(1, ordering: .relaxed)
        tellLeader(HubEvent(id: id))
        take(HubEvent(id: id))
        return true
    }

    /// Handles a hub's message that another server has received.
    func take(_ words: String) {
        guard let event = try? JSONDecoder().decode(HubEvent.self, from: Data(words.utf8)) else {
            return
        }
        take(event)
    }

    private func take(_ event: HubEvent) {
        let now = wall()
        table.withLock { table in
            if let question = event.question {
                _ = table.verify(event.id, question, now: now)
            } else if table.isFetching {
                table.receive(event.id, now: now)
            }
        }
        tick()
    }

    /// Sends a hub's message on to the leader, the one of several servers that fetches sources, if
    /// another server is the leader.
    private func tellLeader(_ event: HubEvent) {
        guard let words = try? JSONEncoder().encode(event) else { return }
        tellLeader(String(decoding: words, as: UTF8.self))
    }

    /// The number of pushes since the start, and the number of those that were ignored for their
    /// signature.
    package var pushCounts: (received: Int, ignored: Int) {
        (receivedPushCount.load(ordering: .relaxed), ignoredPushCount.load(ordering: .relaxed))
    }
}

/// A message from a hub to one of several servers, as that server sends it on to the leader.
private struct HubEvent: Codable {
    /// The subscription.
    var id: String
    /// The verification request that was confirmed; `nil`: the message is a push.
    var question: SourceHubQuestion?
}
