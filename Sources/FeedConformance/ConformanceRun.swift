import FeedModel

/// Runs conformance cases against a server, several at a time.
package struct ConformanceRun: Sendable {
    private let cases: [ConformanceCase]
    private let server: ConformanceServer
    private let jobs: Int

    /// Makes a run of cases, `jobs` at the same time, which are reported in their order.
    package init(cases: [ConformanceCase], server: ConformanceServer, jobs: Int) {
        self.cases = cases
        self.server = server
        self.jobs = jobs
    }

    /// Runs the cases.
    ///
    /// When the task is cancelled, the running cases delete their feeds, and no further case
    /// begins.
    ///
    /// - Parameter report: Called with each result in the order of the cases, as soon as possible;
    ///   not for cases that were stopped.
    /// - Returns: The results of all cases that began, in the order of the cases.
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

    /// Checks what every case needs: the server answers, and the run may publish and read a feed
    /// there.
    ///
    /// - Throws: ``CaseFailure`` with advice for the operator.
    package func prepare() async throws(CaseFailure) {
        let feed = "\(server.prefix)\(String(UInt32.random(in: 0 ... .max), radix: 16))-first"
        let address = server.shownAddress
        let (published, read): (Int, Int)
        do {
            published = try await server.status(of: "PUT", "/feeds/\(feed)", json: #"{"items":[]}"#)
            read = try await server.status(of: "GET", "/feeds/\(feed)", hasKey: false)
        } catch {
            throw CaseFailure("no answer from \(address): \(error.reason)")
        }
        try? await server.delete(feed)
        if [401, 403].contains(published) {
            throw CaseFailure(
                "the key may not publish feeds that begin with \(server.prefix): "
                    + "PUT answers \(published)"
            )
        }
        if 300...499 ~= published || published == 501 {
            throw CaseFailure(
                "\(address) is not where a Freshet server's feeds are: "
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
