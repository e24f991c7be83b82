import HTTPServer
import HTTPWire
import Synchronization

/// Where everything is computed that takes more than microseconds.
///
/// Publishes have threads of their own, apart from reads, and small work has threads apart from
/// large: nobody waits behind somebody else's large work. Threads for large work stand back for all
/// others.
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
    ///   - configuration: Its limits, its clock, and who is told of refusals.
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

    /// What reads run on.
    func reads(_ size: WorkSize) -> WorkPool {
        size == .small ? smallReads : largeReads
    }

    /// Refuses what is large and has not begun: nobody waits for that when the server stops.
    func endLargeWork() {
        largeReads.close()
        largePublishes.close()
    }

    /// What publishes run on.
    func publishes(_ size: WorkSize) -> WorkPool {
        size == .small ? smallPublishes : largePublishes
    }
}
