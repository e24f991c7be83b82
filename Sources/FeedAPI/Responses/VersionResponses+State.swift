import FeedDiff
import FeedModel
import FeedStore
import HTTPServer

extension VersionResponses {
    /// The kept responses, in the order of their making; their bytes and their number are limited.
    struct State: ~Copyable {
        var byCode = ResponseTable()
        /// The responses that clients can ask for in any number of variants, and the order of their
        /// making.
        var byKey: [ResponseKey: Payload] = [:]
        var orderByKey: [ResponseKey] = []
        /// The bytes of the responses in `byKey`.
        var openEndedByteCount = 0
        /// The responses that are being made, or wait for that.
        var making: [ResponseKey: Making] = [:]
        var byteCount = 0
        var isRetired = false
        /// The changes from the version before, where the publish has told them.
        var delta: (since: Int, changes: Changes)?
        /// The equal parts of this version and earlier ones; the pairing asked for last is at the
        /// end.
        var pairings: [(since: Int, pairing: VersionPairing)] = []
    }
}

extension VersionResponses.State {
    func response(_ key: ResponseKey, _ code: UInt64?) -> Payload? {
        if let code { byCode[code] } else { byKey[key] }
    }

    mutating func keep(_ response: Payload, _ key: ResponseKey, _ room: Int) {
        let size = response.byteCount + key.heldByteCount
        let code = key.code
        // Where there is hardly room, all would be given up again and again.
        let most =
            code == nil ? VersionResponses.openEndedByteLimit : VersionResponses.byteLimit
        guard !isRetired, size <= min(room, most),
            room >= ResponseCache.leastByteLimit, self.response(key, code) == nil
        else { return }
        if code == nil {
            while byKey.count >= VersionResponses.openEndedCountLimit
                || openEndedByteCount + size > VersionResponses.openEndedTotalByteLimit
            {
                dropOpenEnded()
            }
        } else {
            if byCode.count >= VersionResponses.countLimit { dropOldest() }
        }
        guard makeRoom(for: size, isOpenEnded: code == nil) else { return }
        if let code {
            byCode.add(response, code)
        } else {
            byKey[key] = response
            orderByKey.append(key)
            openEndedByteCount += size
        }
        byteCount += size
    }

    /// Drops byKey ones, and for one that is none also others, until so many bytes fit.
    private mutating func makeRoom(for size: Int, isOpenEnded: Bool) -> Bool {
        while byteCount + size > VersionResponses.byteLimit {
            if !byKey.isEmpty {
                dropOpenEnded()
            } else if !isOpenEnded, byCode.count > 0 {
                dropOldest()
            } else {
                return false
            }
        }
        return true
    }

    /// Gives up what is kept.
    ///
    /// - Returns: The state before, which is to be freed under no lock.
    mutating func cleared() -> Self {
        var state = VersionResponses.State()
        state.making = making
        state.isRetired = isRetired
        swap(&self, &state)
        return state
    }

    private mutating func dropOldest() {
        byteCount -= byCode.removeOldest()?.byteCount ?? 0
    }

    private mutating func dropOpenEnded() {
        let key = orderByKey.removeFirst()
        guard let response = byKey.removeValue(forKey: key) else { return }
        let size = response.byteCount + key.heldByteCount
        byteCount -= size
        openEndedByteCount -= size
    }

    mutating func pairing(since version: Int) -> VersionPairing? {
        guard let index = pairings.firstIndex(where: { $0.since == version }) else { return nil }
        let found = pairings.remove(at: index)
        pairings.append(found)
        return found.pairing
    }

    mutating func keep(_ pairing: VersionPairing, since version: Int, _ room: Int) {
        let limit = min(room / 4, VersionResponses.pairingTotalByteLimit)
        guard !isRetired, pairing.byteCount <= limit, self.pairing(since: version) == nil else {
            return
        }
        var sum = pairings.reduce(pairing.byteCount) { $0 + $1.pairing.byteCount }
        while sum > limit || pairings.count >= VersionResponses.pairingCountLimit {
            let dropped = pairings.removeFirst().pairing.byteCount
            sum -= dropped
            byteCount -= dropped
        }
        pairings.append((version, pairing))
        byteCount += pairing.byteCount
    }

    mutating func dropDelta() {
        byteCount -= delta?.changes.heldByteCount ?? 0
        delta = nil
    }
}

extension Changes {
    /// About the bytes of memory that they take besides the items.
    var heldByteCount: Int { 128 + 192 * editCount }

    var editCount: Int {
        removedSections.count + insertedSections.count + movedSections.count
            + updatedSections.count + removedItems.count + insertedItems.count + movedItems.count
            + updatedItems.count
    }
}
