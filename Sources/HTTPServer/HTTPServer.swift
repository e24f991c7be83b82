import Dispatch
import Glibc
import HTTPWire
import Logging
import Synchronization

/// An HTTP/1.1 server: takes connections, reads requests, and sends what a handler answers
/// (RFC 9112).
package final class HTTPServer: Sendable {
    /// The port that it listens on.
    package let port: Int

    private let context: ServerContext
    let loops: [EventLoop]
    let knownReports: KnownReports
    private let isStarted = Atomic(false)
    private let ended = DispatchGroup()

    /// Binds the address; nothing is served before ``start()``.
    ///
    /// - Parameters:
    ///   - host: An address or a name.
    ///   - port: 0 for any that is free.
    ///   - inherited: A socket that listens already, in the place of an address.
    ///   - loops: Event loops; `nil`: one a core.
    ///   - handler: Decides on the requests.
    ///   - limits: What a connection may ask for.
    ///   - tls: Has connections encrypted.
    ///   - logs: Where it says what happens.
    /// - Throws: ``SystemError``, when the address cannot be bound.
    package init(
        host: String,
        port: Int,
        inherited: CInt? = nil,
        loops: Int? = nil,
        handler: any RequestHandler,
        limits: ServerLimits = ServerLimits(),
        tls: TLSContext? = nil,
        logs: ServerLogs = ServerLogs()
    ) throws(SystemError) {
        let count = max(1, loops ?? MachineCores.count)
        let context = try ServerContext(
            tls: tls.map { TLSServer($0) },
            loopCount: count,
            logger: logs.logger
        )
        let settings = ServerSettings(handler: handler, limits: limits, loopCount: count)
        let listener = try HTTPServer.listener(host, port, inheriting: inherited, limits)
        var made: [EventLoop] = []
        for index in 0..<count {
            made.append(
                try EventLoop(
                    index: index,
                    context: context,
                    listener: listener,
                    settings: settings,
                    access: logs.access,
                    ended: ended
                )
            )
        }
        self.loops = made
        knownReports = KnownReports(routeCount: max(1, handler.routeNames.count), loopCount: count)
        self.context = context
        self.port = listener.listener.port
    }

    private static func listener(
        _ host: String,
        _ port: Int,
        inheriting inherited: CInt?,
        _ limits: ServerLimits
    ) throws(SystemError) -> SharedListener {
        guard let inherited else {
            return SharedListener(try Listener(host: host, port: port, limits: limits))
        }
        return SharedListener(try Listener(inheriting: inherited, limits: limits))
    }

    /// Why a server could not listen there; `nil`: it could, at this moment.
    package static func bindError(host: String, port: Int) -> SystemError? {
        do throws(SystemError) {
            _ = try Listener(host: host, port: port)
            return nil
        } catch {
            return error
        }
    }

    /// Begins to serve, on threads of its own.
    package func start() {
        isStarted.store(true, ordering: .relaxed)
        for loop in loops { loop.start() }
    }

    /// Gives the server another handler and other limits, for the requests that begin from now on.
    ///
    /// Connections stay open, and what was begun is finished by the handler that received it.
    ///
    /// - Parameters:
    ///   - handler: Decides on the requests.
    ///   - limits: What a connection may ask for.
    ///   - completion: Is called once, on a queue of its own, when no request is received by the
    ///     handler before; never, when the server stops first.
    package func reconfigure(
        handler: any RequestHandler,
        limits: ServerLimits,
        completion: @escaping @Sendable () -> Void = {}
    ) {
        let settings = ServerSettings(handler: handler, limits: limits, loopCount: loops.count)
        let taken = DispatchGroup()
        for loop in loops {
            taken.enter()
            loop.mailbox.post(.configure(settings, taken: { taken.leave() }))
        }
        taken.notify(queue: .global(), execute: completion)
    }

    /// Takes no more connections, answers what was begun, and ends.
    ///
    /// A second call ends nothing sooner; it only waits for the same end.
    ///
    /// - Parameters:
    ///   - time: After which whatever is left is cut off.
    ///   - completion: Is called once, on a queue of its own, when all has ended.
    package func stop(within time: Duration, completion: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue.global()
        guard context.beginStopping() else {
            ended.notify(queue: queue, execute: completion)
            return
        }
        // The port is closed before anybody is told.
        let accepting = DispatchGroup()
        for loop in loops {
            guard isStarted.load(ordering: .relaxed) else {
                loop.letGoOfListener()
                continue
            }
            accepting.enter()
            loop.mailbox.post(.endAccepting { accepting.leave() })
        }
        accepting.notify(queue: queue) { [loops] in
            for loop in loops { loop.mailbox.post(.stop) }
        }
        let milliseconds = Int(time / .milliseconds(1))
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [loops] in
            for loop in loops { loop.mailbox.post(.abort) }
        }
        accepting.notify(queue: queue) { [ended] in
            ended.notify(queue: queue, execute: completion)
        }
    }

    /// Has connections from now on use another certificate; those there are go on with theirs.
    ///
    /// For a server that was made with one.
    ///
    /// - Returns: What is worth telling though it can be used, such as that it has expired.
    /// - Throws: ``CertificateError``; the old one stays in use.
    package func replaceCertificate(
        _ files: CertificateFiles
    ) throws(CertificateError) -> [String] {
        guard let tls = context.tls else {
            preconditionFailure("a server without TLS has no certificate to replace")
        }
        let context = try TLSContext(files)
        if tls.replaceContext(with: context) {
            self.context.logger.notice(
                "another certificate is in use",
                metadata: [
                    "file": "\(files.certificate)",
                    "days": "\(context.remainingSeconds / 86_400)",
                ]
            )
        }
        return context.warnings
    }
}
