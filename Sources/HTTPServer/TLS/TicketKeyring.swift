/// The keys that encrypt session tickets, and their rotation (RFC 5077 §5.5).
///
/// A key makes tickets for half a day, and decrypts them for the tickets' lifetime of another half
/// day. After a day the key is gone, so old tickets cannot be decrypted any more. The caller passes
/// the time in; this type reads no clock.
struct TicketKeyring {
    /// The parts of a key; tickets carry the name of their key.
    struct Key: Equatable {
        var name: [UInt8]
        var cipher: [UInt8]
        var authentication: [UInt8]
        /// The time at which the key was made, in seconds of a monotonic clock.
        var made: Int
    }

    /// The seconds for which a ticket can be used, and for which a key makes new tickets.
    static let lifetimeSeconds = 12 * 3600

    /// The keys that are in use, the newest last.
    private(set) var keys: [Key] = []

    /// Returns the key for new tickets, and makes it if the last one is too old.
    ///
    /// - Parameters:
    ///   - now: The time in seconds of a monotonic clock.
    ///   - random: Returns that number of random bytes; `nil` if it cannot.
    /// - Returns: `nil` if a key is needed and cannot be made.
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

    /// Returns the key with this name, and whether its tickets should be replaced by those of a
    /// newer key.
    func key(named name: some Sequence<UInt8>, at now: Int) -> (key: Key, isOld: Bool)? {
        keys.first { $0.name.elementsEqual(name) }.flatMap { key in
            let age = now - key.made
            guard age < 2 * TicketKeyring.lifetimeSeconds else { return nil }
            return (key, isOld: age >= TicketKeyring.lifetimeSeconds)
        }
    }
}
