/// What one connection holds in memory, as its loop's account has it.
struct HeldMemory {
    /// Bytes that are its own.
    private(set) var byteCount = 0
    /// What of its output others have too.
    private(set) var shared: CachedResponse?

    /// Whether it holds what others could need.
    var isSome: Bool { byteCount > 0 || shared != nil }

    /// Notes what it holds now.
    mutating func update(
        byteCount: Int,
        sharing new: CachedResponse?,
        in account: MemoryAccount
    ) {
        if byteCount != self.byteCount {
            account.hold(byteCount - self.byteCount)
            self.byteCount = byteCount
        }
        if new?.id != shared?.id {
            account.exchange(shared, for: new)
            shared = new
        }
    }
}
