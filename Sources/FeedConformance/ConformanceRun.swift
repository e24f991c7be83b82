import FeedModel

/// A run of all chosen cases against a server, several at a time.
package struct ConformanceRun: Sendable {
    private let cases: [ConformanceCase]
    private let server: ConformanceServer
    private let jobs: Int

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - cases: The cases, in the order in which they are reported.
    ///   - server: The server that is checked.
    ///   - jobs: The number of cases that run at the same time.
    package init(cases: [ConformanceCase], server: ConformanceServer, jobs: Int) {
        self.cases = cases
        self.server = server
        self.jobs = jobs
    }

    /// Carries out the cases. When the task is cancelled, the cases that have begun clean up, and
    /// no other begins.
    ///
    /// - Parameter report: Receives each result as soon as it is known, in the order of the cases.
    /// - Returns: The results of the cases that came to an end, in the order of the cases.
    package func results(_ report: @Sendable (CaseResult) -> Void) async -> [CaseResult] {
        var finished: [Int: CaseResult] = [:]
        var results: [CaseResult] = []
        await withTaskGroup(of: (Int, CaseResult).self) { group in
            var (begun, reported) = (0, 0)
            func begin() {
                guard begun < cases.count, !Task.isCancelled else { return }
                let (index, test) = (begun, cases[begun])
                begun += 1
                group.addTask {
                    var run = CaseRun(test, at: server)
                    return (index, await run.run())
                }
            }
            for _ in 0..<jobs { begin() }
            for await (index, result) in group {
                begin()
                finished[index] = result
                while let next = finished.removeValue(forKey: reported) {
                    reported += 1
                    if !next.wasStopped { report(next) }
                    results.append(next)
                }
            }
        }
        return results
    }

    /// Tries the conditions of every case: that the server answers, and that a feed can be
    /// published and read there.
    ///
    /// - Throws: ``CaseFailure`` with advice to the operator.
    package func prepare() async throws(CaseFailure) {
        let feed = "\(server.prefix)\(String(UInt32.random(in: 0 ... .max), radix: 16))-first"
        let place = server.shownAddress
        let (published, read): (Int, Int)
        do {
            published = try await server.status(of: "PUT", "/feeds/\(feed)", json: #"{"items":[]}"#)
            read = try await server.status(of: "GET", "/feeds/\(feed)", hasKey: false)
        } catch {
            throw CaseFailure("no answer from \(place): \(error.reason)")
        }
        let server = server
        await Task { try? await server.delete(feed) }.value
        if [401, 403].contains(published) {
            throw CaseFailure(
                "the key may not publish feeds that begin with \(server.prefix): "
                    + "PUT answers \(published)"
            )
        }
        if 300...499 ~= published || published == 501 {
            throw CaseFailure(
                "\(place) is not where a Freshet server's feeds are: "
                    + "PUT /feeds/\(feed) answers \(published)"
            )
        }
        if 200...299 ~= published, [401, 403, 404].contains(read) {
            throw CaseFailure(
                "feeds that begin with \(server.prefix) have to be open to all readers: "
                    + "GET without a key answers \(read)"
            )
        }
    }
}
