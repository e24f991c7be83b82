import Synchronization

/// An object that is made when it is first asked for, by whoever comes first.
///
/// Does what `AtomicLazyReference` does, but its code is part of this module's: the library's is
/// generic at run time, and took 490 of a poll's 5,700 instructions.
struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
    private let stored = Atomic<Unmanaged<Instance>?>(nil)

    /// The object; `make` makes it, if nobody has yet.
    func load(make: () -> Instance) -> Instance {
        if let stored = stored.load(ordering: .acquiring) { return stored.takeUnretainedValue() }
        let made = Unmanaged.passRetained(make())
        let (isFirst, other) = stored.compareExchange(
            expected: nil,
            desired: made,
            ordering: .acquiringAndReleasing
        )
        guard !isFirst, let other else { return made.takeUnretainedValue() }
        made.release()
        return other.takeUnretainedValue()
    }

    deinit {
        stored.load(ordering: .acquiring)?.release()
    }
}
