/// The keys that session tickets are encrypted with, and when they change (RFC 5077 §5.5).
///
/// A key is used for half a day, and reads its tickets for as long as they live: what it protected
/// can be read by nobody a day later. The time comes in; no clock in here.
struct TicketKeyring {
    /// One key, and the name by which tickets say that it is theirs.
    struct Key: Equatable {
        var name: [UInt8]
        var cipher: [UInt8]
        var authentication: [UInt8]
        /// In seconds of a clock that does not go back.
        var made: Int
    }

    /// For how long a ticket can be used.
    static let lifetimeSeconds = 12 * 3600

    /// The newest last.
    private(set) var keys: [Key] = []

    /// The key for new tickets.
    ///
    /// - Parameters:
    ///   - now: In seconds of a clock that does not go back.
    ///   - random: Makes so many random bytes, if it can.
    /// - Returns: `nil` where there is none and none can be made.
    mutating func current(at now: Int, random: (Int) -> [UInt8]?) -> Key? {
        keys.removeAll { now - $0.made >= 2 * TicketKeyring.lifetimeSeconds }
        if let last = keys.last, now - last.made < TicketKeyring.lifetimeSeconds { return last }
        guard let name = random(16), let cipher = random(32), let authentication = random(32) else {
            return nil
        }
        let key = Key(name: name, cipher: cipher, authentication: authentication, made: now)
        keys.append(key)
        return key
    }

    /// The key of a ticket, and whether the ticket should be replaced by one of a newer key.
    func key(named name: some Sequence<UInt8>, at now: Int) -> (key: Key, isOld: Bool)? {
        keys.first { $0.name.elementsEqual(name) }.flatMap { key in
            let age = now - key.made
            guard age < 2 * TicketKeyring.lifetimeSeconds else { return nil }
            return (key, isOld: age >= TicketKeyring.lifetimeSeconds)
        }
    }
}
