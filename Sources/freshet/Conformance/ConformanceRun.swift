import FeedFormats
import FeedModel

/// A run of all chosen cases against a server, several at a time.
struct ConformanceRun: Sendable {
    let cases: [ConformanceCase]
    let server: ConformanceServer
    /// The number of cases that run at the same time.
    let jobs: Int

    /// Carries out the cases. When the task is cancelled, the cases that have begun clean up, and
    /// no other begins.
    ///
    /// - Parameter report: Receives each result as soon as it is known, in the order of the cases.
    /// - Returns: The results of the cases that came to an end, in the order of the cases.
    func results(_ report: @Sendable (CaseResult) -> Void) async -> [CaseResult] {
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
    /// - Throws: ``CommandFailure`` with advice to the operator.
    func prepare() async throws(CommandFailure) {
        let feed = "\(server.prefix)\(String(UInt32.random(in: 0 ... .max), radix: 16))-first"
        let place = WebAddress.shown(server.address)
        let (published, read): (Int, Int)
        do {
            published = try await server.status(of: "PUT", "/feeds/\(feed)", json: #"{"items":[]}"#)
            read = try await server.status(of: "GET", "/feeds/\(feed)", hasKey: false)
        } catch {
            throw .other("no answer from \(place): \(error.reason)")
        }
        let server = server
        await Task { try? await server.delete(feed) }.value
        if [401, 403].contains(published) {
            throw .other(
                "the key may not publish feeds that begin with \(server.prefix): "
                    + "PUT answers \(published)"
            )
        }
        if 300...499 ~= published || published == 501 {
            throw .other(
                "\(place) is not where a Freshet server's feeds are: "
                    + "PUT /feeds/\(feed) answers \(published)"
            )
        }
        if 200...299 ~= published, [401, 403, 404].contains(read) {
            throw .other(
                "feeds that begin with \(server.prefix) have to be open to all readers: "
                    + "GET without a key answers \(read)"
            )
        }
    }
}
