import HTTPServer
import HTTPWire
import Synchronization

/// Where everything is computed that takes more than microseconds.
///
/// Publishes have threads of their own, apart from reads, and small work has threads apart from
/// large, so small work never waits behind another client's large work. Threads for large work
/// stand back for all others.
final class WorkScheduler: Sendable {
    private let smallReads: WorkPool
    private let largeReads: WorkPool
    private let smallPublishes: WorkPool
    private let largePublishes: WorkPool
    let refusals: Refusals

    /// How far threads for large work stand back (setpriority(2)): a tenth of the processor time
    /// that one without niceness has, when both want all.
    private static let niceness: CInt = 10

    /// - Parameters:
    ///   - configuration: Its limits, its clock, and the report of refusals.
    ///   - cores: How many cores there are.
    init(_ configuration: APIConfiguration, cores: Int = MachineCores.count) {
        let refusals = Refusals(configuration)
        self.refusals = refusals
        let makePool = { (threads: Int, niceness: CInt, limits: WorkPool.Limits, kind: WorkKind) in
            WorkPool(
                threads: threads,
                niceness: niceness,
                limits: limits,
                clock: configuration.clock,
                refused: { refusals.note(kind) }
            )
        }
        smallReads = makePool(max(2, cores / 2), 0, configuration.waitingReads, .read)
        largeReads = makePool(cores, WorkScheduler.niceness, configuration.waitingReads, .read)
        let publishes = configuration.waitingPublishes
        smallPublishes = makePool(max(2, cores / 2), 0, publishes, .publish)
        largePublishes = makePool(
            max(1, cores / 2),
            WorkScheduler.niceness / 2,
            publishes,
            .publish
        )
    }

    /// Returns the pool for reads of a size.
    func reads(_ size: WorkSize) -> WorkPool {
        size == .small ? smallReads : largeReads
    }

    /// Refuses large work that has not begun: when the server stops, its clients are not kept
    /// waiting.
    func endLargeWork() {
        largeReads.close()
        largePublishes.close()
    }

    /// Returns the pool for publishes of a size.
    func publishes(_ size: WorkSize) -> WorkPool {
        size == .small ? smallPublishes : largePublishes
    }
}
