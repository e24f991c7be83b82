import Dispatch
import Glibc
import HTTPWire
package import Logging
package import Platform
import Synchronization

/// An HTTP/1.1 server: accepts connections, reads requests, and sends a handler's responses (RFC
/// 9112).
package final class HTTPServer: Sendable {
    /// The port on which the server listens.
    package let port: Int

    let context: ServerContext
    let loops: [EventLoop]
    private let isStarted = Atomic(false)
    private let ended = DispatchGroup()

    /// Makes a server and binds its address; nothing is served before ``start()``.
    ///
    /// - Parameters:
    ///   - host: The address to listen at, or a name for it.
    ///   - port: The port; 0 for any free one.
    ///   - inherited: A listening socket to take over; `host` and `port` are then ignored.
    ///   - loops: The number of event loops; `nil`: ``loopCount(cores:memoryByteCount:)``.
    ///   - tls: The certificates; `nil`: connections are not encrypted.
    ///   - access: The access log; `nil`: there is none.
    /// - Throws: ``SystemError`` if the address cannot be bound, the inherited socket does not
    ///   listen, or no descriptors are left.
    package init(
        host: String,
        port: Int,
        inherited: CInt? = nil,
        loops: Int? = nil,
        handler: any RequestHandler,
        limits: ServerLimits = ServerLimits(),
        tls: TLSContext? = nil,
        logger: Logger = Logger(label: "freshet", factory: { _ in SwiftLogNoOpLogHandler() }),
        access: AccessLog? = nil
    ) throws(SystemError) {
        let count = max(1, loops ?? HTTPServer.loopCount())
        let context = try ServerContext(
            tls: tls.map { TLSServer($0) },
            loopCount: count,
            routeCount: max(1, handler.routeNames.count),
            logger: logger
        )
        let listener =
            if let inherited {
                try Listener(inheriting: inherited)
            } else {
                try Listener(host: host, port: port)
            }
        var made: [EventLoop] = []
        for index in 0..<count {
            made.append(
                try EventLoop(
                    index: index,
                    context: context,
                    listener: listener,
                    settings: ServerSettings(handler: handler, limits: limits, loopCount: count),
                    access: access,
                    ended: ended
                )
            )
        }
        self.loops = made
        self.context = context
        self.port = listener.port
    }

    /// Returns the number of event loops where none is set: one for each core, as long as an eighth
    /// of the memory has the least share of each, so that connections hold no more.
    package static func loopCount(
        cores: Int = MachineCores.count,
        memoryByteCount: Int = MemorySize.byteCount
    ) -> Int {
        max(1, min(cores, memoryByteCount / 8 / ServerSettings.leastLoopByteLimit))
    }

    /// Returns the error of an attempt to listen at an address; `nil` if the attempt succeeds.
    ///
    /// The socket is closed again at once.
    package static func bindError(host: String, port: Int) -> SystemError? {
        do throws(SystemError) {
            _ = try Listener(host: host, port: port)
            return nil
        } catch {
            return error
        }
    }

    /// Starts serving, on the server's own threads.
    package func start() {
        isStarted.store(true, ordering: .relaxed)
        for loop in loops { loop.start() }
    }

    /// Replaces the handler and the limits for requests that begin from now on.
    ///
    /// Connections stay open, and the requests under way are finished by the handler that received
    /// them.
    ///
    /// - Parameter completion: Called once, on a background queue, when the previous handler
    ///   receives no more requests; never called if the server stops first.
    package func reconfigure(
        handler: any RequestHandler,
        limits: ServerLimits,
        completion: @escaping @Sendable () -> Void = {}
    ) {
        let taken = DispatchGroup()
        for loop in loops {
            taken.enter()
            let settings = ServerSettings(handler: handler, limits: limits, loopCount: loops.count)
            loop.mailbox.post(.configure(settings, taken: { taken.leave() }))
        }
        taken.notify(queue: .global(), execute: completion)
    }

    /// Stops accepting connections, answers the requests under way, and ends the server.
    ///
    /// A second call does not change the deadline; it only waits for the server's end.
    ///
    /// - Parameters:
    ///   - time: The time from now after which the remaining connections are closed.
    ///   - completion: Called once, on a background queue, when the server has ended.
    package func stop(within time: Duration, completion: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue.global()
        guard context.beginStopping() else {
            ended.notify(queue: queue, execute: completion)
            return
        }
        // All loops release the port before any connection is stopped.
        let accepting = DispatchGroup()
        for loop in loops {
            guard isStarted.load(ordering: .relaxed) else {
                loop.releaseListener()
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

    /// Replaces the certificate for new connections; open connections keep theirs.
    ///
    /// The server must have been made with TLS settings.
    ///
    /// - Returns: Warnings about the new certificate, for example that it has expired.
    /// - Throws: ``CertificateError`` if the new certificate cannot be used; the old certificate
    ///   then stays in use.
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
                    "days": .stringConvertible(context.remainingSeconds / 86_400),
                ]
            )
        }
        return context.warnings
    }
}
