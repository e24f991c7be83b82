import CCurl
import Glibc

/// The transfers of a client, on its thread alone.
final class TransferSet {
    /// The most connections at a time, further requests wait; and the most idle ones.
    private static let (connectionLimit, idleConnectionLimit) = (256, 64)

    private let multi: UnsafeMutableRawPointer?
    private let settings: HTTPClient.Settings
    private var transfers: [UInt64: CurlTransfer] = [:]
    /// The time before which no silence is too long; `nil`: no silence counts.
    private var silenceEnd: ContinuousClock.Instant?

    init(_ settings: HTTPClient.Settings) {
        self.settings = settings
        multi = curl_multi_init()
        freshet_curl_setMulti(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, TransferSet.connectionLimit)
        freshet_curl_setMulti(multi, CURLMOPT_MAXCONNECTS, TransferSet.idleConnectionLimit)
    }

    deinit { curl_multi_cleanup(multi) }

    func start(_ id: UInt64, _ request: HTTPClient.Request, _ response: StreamedResponse) {
        guard URLHost.isWeb(request.url) else {
            response.end(.invalidURL("it is not one of http or https"))
            return
        }
        guard let multi, let transfer = CurlTransfer(id, request, for: response, settings) else {
            response.end(.unavailable)
            return
        }
        transfers[id] = transfer
        if let silent = transfer.silent { checkSilence(by: .now + silent) }
        if curl_multi_add_handle(multi, transfer.easy) != CURLM_OK { end(id, .unavailable) }
    }

    func cancel(_ id: UInt64) { end(id, .cancelled) }

    func cancelAll() {
        for id in transfers.keys.sorted() { end(id, .cancelled) }
    }

    func resume(_ id: UInt64) {
        guard let transfer = transfers[id] else { return }
        transfer.resume()
        if let end = transfer.silenceEnd { checkSilence(by: end) }
    }

    private func checkSilence(by time: ContinuousClock.Instant) {
        silenceEnd = min(silenceEnd ?? time, time)
    }

    /// Ends the transfers whose bodies were silent for too long.
    private func endSilent() {
        let now = ContinuousClock.now
        guard let silenceEnd, silenceEnd <= now else { return }
        self.silenceEnd = nil
        for (id, transfer) in transfers {
            guard let silent = transfer.silent else { continue }
            // A transfer without a head yet, or a paused one, has at least the whole time left.
            let end = transfer.silenceEnd ?? now + silent
            if end <= now {
                self.end(id, .timedOut("nothing came for \(silent)"))
            } else {
                checkSilence(by: end)
            }
        }
    }

    /// Reads and writes as far as possible, and ends the transfers that are done.
    func proceed() {
        var running: CInt = 0
        curl_multi_perform(multi, &running)
        var waiting: CInt = 0
        while let message = curl_multi_info_read(multi, &waiting) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let code = freshet_curl_result(message)
            let id = UInt64(UInt(bitPattern: freshet_curl_private(message.pointee.easy_handle)))
            end(id, transfers[id]?.error(code))
        }
        endSilent()
    }

    /// Waits until a transfer or `descriptor` is ready, or a time limit has passed.
    func wait(for descriptor: CInt) {
        var extra = curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        let most = Duration.seconds(60)
        let time = silenceEnd.map { min(most, $0 - .now) } ?? most
        curl_multi_poll(multi, &extra, 1, CInt(max(.zero, time) / .milliseconds(1)) + 1, nil)
    }

    private func end(_ id: UInt64, _ error: HTTPClientError?) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        curl_multi_remove_handle(multi, transfer.easy)
        transfer.response.end(error)
    }
}
