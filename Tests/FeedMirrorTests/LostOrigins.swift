import Testing

@testable import FeedMirror

/// A mirror whose origin cannot be followed for a while.
@Suite(.timeLimit(.minutes(2))) struct LostOrigins {
    private let origin = ScriptedOrigin()
    private let trial: MirrorTrial

    init() throws {
        trial = try MirrorTrial(of: origin.url)
    }

    private func next() async throws -> ScriptedOrigin.Exchange {
        try #require(await origin.stream())
    }

    /// Begins a stream that comes to its `ready`.
    private func followed() async throws -> ScriptedOrigin.Exchange {
        let stream = try await next()
        stream.beginStream()
        stream.ready()
        await until { trial.mirror.isFollowing }
        return stream
    }

    /// The bounds of the pauses after failures: they are shorter at random.
    private func expectPauses(_ pauses: some Sequence<Duration>, from first: Int = 0) {
        for (index, pause) in pauses.enumerated() {
            let longest = min(Duration.seconds(10), .milliseconds(200) * (1 << (first + index)))
            #expect(longest / 2 <= pause && pause <= longest, "pause \(index)")
        }
    }

    @Test func areTriedLessOftenTheLongerTheyFail() async throws {
        trial.start()
        for _ in 0..<9 { try await next().answer(503) }
        _ = try await followed()
        #expect(trial.pauses.count == 9)
        expectPauses(trial.pauses)
    }

    @Test(arguments: [true, false])
    func areTriedSoonAfterTheyWereFollowed(byACut isCut: Bool) async throws {
        trial.start()
        for _ in 0..<5 { try await next().answer(503) }
        let stream = try await next()
        stream.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        let ready = "data: {\"kind\":\"ready\",\"feeds\":0}\nevent: ready\n\n"
        stream.send("\(String(ready.utf8.count, radix: 16))\r\n\(ready)\r\n")
        await until { trial.mirror.isFollowing }
        if !isCut { stream.send("0\r\n\r\n") }
        stream.end()
        try await next().answer(503)
        _ = try await followed()
        #expect(trial.pauses.count == 7)
        expectPauses(trial.pauses.dropFirst(5))
    }

    @Test func areTriedLessOftenIfTheirStreamsEndBeforeTheyBring() async throws {
        trial.start()
        for _ in 0..<6 { try await next().answer(200, "<p>Hello") }
        _ = try await next()
        #expect(trial.pauses.count == 6)
        expectPauses(trial.pauses)
    }

    @Test func areReportedOncePerReasonAndWhenTheyAreBack() async throws {
        trial.start()
        for _ in 0..<3 { try await next().answer(503) }
        for _ in 0..<3 { try await next().answer(403) }
        let stream = try await followed()
        stream.end()
        _ = try await next()
        let lost = "\(origin.url) cannot be followed: "
        #expect(
            trial.reports == [
                lost + "it answers 503",
                lost + "it answers 403; its key needs the right follow there",
                "\(origin.url) is followed again",
                lost + "the stream has ended",
            ]
        )
    }

    @Test func areLeftWhenTheyAreSilentForTooLong() async throws {
        let trial = try MirrorTrial(of: origin.url) { $0.silence = .milliseconds(50) }
        trial.start()
        let stream = try await next()
        stream.beginStream()
        stream.ready()
        let again = try await next()
        #expect(trial.reports.count == 1)
        #expect(trial.reports.first?.contains("nothing came for") == true)
        again.end()
    }

    @Test func areNotReportedAfterAStop() async throws {
        trial.start()
        _ = try await followed()
        trial.mirror.stop()
        await until { !trial.mirror.isFollowing }
        #expect(trial.reports.isEmpty)
    }
}
