import FeedAPI
import HTTPTypes
import Testing

@testable import FeedSources

/// Subscriptions to hubs of sources (W3C WebSub), as values.
@Suite struct PushSubscriptions {
    private static let start = 1_700_000_000

    private func subscription() -> PushSubscription {
        PushSubscription(
            hub: "https://hub.example/?a=b&c",
            topic: "https://e.example/feed?x=1&y=é",
            base: "https://feeds.example/websub/",
            random: (0..<64).map { UInt8($0) }
        )
    }

    private func question(
        _ subscription: PushSubscription,
        mode: String = "subscribe",
        lease: Int? = nil
    ) -> SourceHubQuestion {
        var question = SourceHubQuestion(mode: mode, topic: subscription.topic)
        question.leaseSeconds = lease
        return question
    }

    @Test func askWithACallbackAndASecret() throws {
        let push = subscription()
        let fields = push.form.split(separator: "&").map(String.init)
        #expect(fields.first == "hub.mode=subscribe")
        #expect(fields.contains("hub.topic=https%3A%2F%2Fe.example%2Ffeed%3Fx%3D1%26y%3D%C3%A9"))
        #expect(fields.contains("hub.lease_seconds=864000"))
        #expect(fields.contains("hub.secret=\(push.secret)"))
        #expect(push.callback == "https://feeds.example/websub/\(push.id)")
        #expect(push.id.count == 48)
        #expect(push.secret.count == 64)
        #expect(push.secret.utf8.count < 200)
    }

    @Test func areVerifiedOnlyAsAsked() {
        var push = subscription()
        let now = PushSubscriptions.start
        let question = question(push)
        let answer1 = push.verify(question, now: now)
        #expect(!answer1)
        push.begin(now: now)
        var other = question
        other.topic += "2"
        let answer2 = push.verify(other, now: now)
        #expect(!answer2)
        let answer3 = push.verify(self.question(push, mode: "unsubscribe"), now: now)
        #expect(!answer3)
        let answer4 = push.verify(self.question(push, mode: ""), now: now)
        #expect(!answer4)
        #expect(!push.isActive(now: now))
        let answer5 = push.verify(question, now: now + 5)
        #expect(answer5)
        #expect(push.isActive(now: now + 10 * 86_400))
        #expect(!push.isActive(now: now + 10 * 86_400 + 5))
        // Long after it was asked, a hub has nothing to verify.
        let answer6 = push.verify(question, now: now + 2 * 86_400)
        #expect(!answer6)
    }

    @Test(arguments: [
        (3600, 3600, 2400), (1, 1, 600), (-5, 1, 600), (86_400 * 365, 14 * 86_400, 14 * 57_600),
        (Int.max, 14 * 86_400, 14 * 57_600),
    ])
    func lastAsLongAsTheHubSaysWithinBounds(_ said: Int, _ lease: Int, _ renewal: Int) {
        var push = subscription()
        let now = PushSubscriptions.start
        push.begin(now: now)
        let answer7 = push.verify(question(push, lease: said), now: now)
        #expect(answer7)
        #expect(push.leaseEnd == now + lease)
        #expect(!push.isDue(now: now + renewal - 1))
        #expect(push.isDue(now: now + renewal))
    }

    @Test func areAskedForLaterAndLaterUntilTheyAreVerified() {
        var push = subscription()
        var (now, pauses) = (PushSubscriptions.start, [Int]())
        #expect(push.isDue(now: now))
        for _ in 0..<7 {
            push.begin(now: now)
            let next = (1...48).map { now + $0 * 1800 }.first { push.isDue(now: $0) } ?? 0
            pauses.append(next - now)
            now = next
        }
        #expect(pauses == [3600, 7200, 14_400, 28_800, 57_600, 86_400, 86_400])
    }

    @Test func thatAreDeniedSayWhy() {
        var push = subscription()
        let now = PushSubscriptions.start
        push.begin(now: now)
        let answer8 = push.verify(question(push), now: now)
        #expect(answer8)
        var denial = question(push, mode: "denied")
        denial.reason = "no more"
        let answer9 = push.verify(denial, now: now + 9)
        #expect(answer9)
        #expect(push.error == "the hub denied it: no more")
        #expect(!push.isActive(now: now + 9))
        #expect(!push.isDue(now: now + 86_408))
        #expect(push.isDue(now: now + 86_409))
    }

    @Test func areNotReliedOnWhenTheyMissChanges() {
        var push = subscription()
        let now = PushSubscriptions.start
        push.begin(now: now)
        let answer10 = push.verify(question(push), now: now)
        #expect(answer10)
        // A change from before the hub pushed is not missed.
        push.miss(since: now - 60, now: now + 60)
        #expect(push.missedCount == 0)
        for number in 1...3 {
            #expect(push.isReliable(now: now + number * 60))
            push.miss(since: now + number * 60 - 60, now: now + number * 60)
            #expect(push.missedCount == number)
        }
        #expect(!push.isReliable(now: now + 180))
        push.receive(now: now + 200)
        #expect(push.isReliable(now: now + 200))
        // What is found after a push was pushed.
        push.miss(since: now + 180, now: now + 201)
        #expect(push.missedCount == 0)
    }

    @Test func makePollsRare() {
        var state = SourceState(address: "https://e.example/")
        let now = PushSubscriptions.start
        func wait() -> Int {
            (SourceSchedule.next(state, every: 600, now: now, random: 0.5) ?? 0) - now
        }
        #expect(wait() == 600)
        var push = subscription()
        push.begin(now: now)
        let answer11 = push.verify(question(push), now: now)
        #expect(answer11)
        state.push = push
        #expect(wait() == 1800)
    }
}

/// `X-Hub-Signature`.
@Suite struct PushSignatures {
    private static let body = Array("what is pushed".utf8)

    // Made with OpenSSL's command: openssl dgst -sha256 -hmac secret
    private static let right = [
        "sha1=72644f79ccdb4d87bca2b1add08df2947089423a",
        "sha256=f9748fd5e1afadbe6ea1b64a66474b9531b64ed480199cbdb1794d05a9a6c296",
        "sha384=a67d90c5eafb1b04b535ae1628b58e41082c9e0b5d0eba6644aa5ec7b47d57f32a1157a8af4fd26377534569f78ce706",
        "sha512=b4e97ac018652866f16dd30b0bc31baa201a5f0cfd6660e72e44142b50d84f68a027882277cd9871b1a9da9be5f232b486a4614ddceb325c36bee4fb62967c5f",
        "SHA256=F9748FD5E1AFADBE6EA1B64A66474B9531B64ED480199CBDB1794D05A9A6C296",
    ]

    @Test(arguments: right)
    func areRight(_ field: String) {
        #expect(PushSignature.isRight(field, of: PushSignatures.body, secret: "secret"))
        #expect(!PushSignature.isRight(field, of: PushSignatures.body, secret: "Secret"))
        #expect(!PushSignature.isRight(field, of: PushSignatures.body + [0], secret: "secret"))
        let changed = field.dropLast() + (field.last == "0" ? "1" : "0")
        #expect(!PushSignature.isRight(String(changed), of: PushSignatures.body, secret: "secret"))
        #expect(
            !PushSignature.isRight(
                String(field.dropLast(2)),
                of: PushSignatures.body,
                secret: "secret"
            )
        )
    }

    @Test(arguments: [
        nil, "", "sha256", "sha256=", "=", "md5=71f7f67f168dc12c31d2494e24010b12", "sha256=zz",
        "sha256=abc", "sha256 =f9748fd5e1afadbe6ea1b64a66474b9531b64ed480199cbdb1794d05a9a6c296",
        "none=", "sha256=\(String(repeating: "a", count: 5000))",
    ])
    func areWrong(_ field: String?) {
        #expect(!PushSignature.isRight(field, of: PushSignatures.body, secret: "secret"))
    }
}

/// `Link` fields with hubs.
@Suite struct LinkFieldReading {
    private func links(_ values: String...) throws -> LinkFields {
        var fields = HTTPFields()
        let name = try #require(HTTPField.Name("Link"))
        for value in values { fields.append(HTTPField(name: name, value: value)) }
        return LinkFields(fields, address: "https://e.example/a/feed")
    }

    @Test func findHubAndTopic() throws {
        let expected = try links(
            "<https://hub.example/>; rel=\"hub\"",
            "<https://e.example/feed>; rel=\"self\""
        )
        #expect(expected.hub == "https://hub.example/")
        #expect(expected.topic == "https://e.example/feed")
        #expect(
            try links(
                "<https://x.example/?a,b;c>; title=\"<,;>\"; rel=next, "
                    + "<https://hub.example/>;rel=hub,</feed>; type=\"x\" ; rel=\"alternate self\""
            ) == expected
        )
        #expect(try links("<https://hub.example/>; REL=\"HUB\", <../feed>; rel=self") == expected)
    }

    @Test func findFeeds() throws {
        let found = try links(
            "</a.xml>; rel=alternate; type=\"application/rss+xml\", </a.xml>;rel=alternate;type=text/xml",
            "<feed://b.example/>; type=application/atom+xml; rel=\"x Alternate\"",
            "</de>; rel=alternate; hreflang=de, </s.css>; rel=\"alternate stylesheet\"; type=text/css"
        )
        #expect(found.feeds == ["https://e.example/a.xml", "http://b.example/"])
    }

    @Test(arguments: [
        "", "<", "<>", "<>;", ",,;;\"", "<https://hub.example/>", "<https://hub.example/>; rel",
        "<ftp://hub.example/>; rel=hub", "https://hub.example/; rel=hub", "<x>; rel=hubs",
        "<https://hub.example/>; title=\"; rel=hub",
    ])
    func findNothing(_ value: String) throws {
        let found = try links(value)
        #expect(found.hub == nil)
        #expect(found.topic == nil)
    }
}
