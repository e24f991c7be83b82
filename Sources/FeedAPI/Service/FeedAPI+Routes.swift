import FeedJournal
import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// From paths and methods to handlers.
extension FeedAPI {
    func route(_ request: borrowing RoutedRequest) throws(Problem) -> Disposition {
        if request.isRead, let disposition = try routeRead(request) { return disposition }
        guard request.method.isKnown else {
            let method = request.head.methodName
            throw Problem(.notImplemented, .notImplemented, "the method \(method) is not known")
        }
        switch request.route {
        case .nowhere, .nothing, .outside:
            throw .notFound("there is nothing at this address")
        case .metrics where configuration.metrics == nil, .admin where configuration.metrics == nil:
            throw .notFound("metrics are on the listener of --admin, if there is one")
        default: break
        }
        if request.method.isOptions { return .response(options(request)) }
        if let disposition = try routeChange(request) { return disposition }
        throw .method(request.head.methodName, allowed: request.route.methods)
    }

    /// - Returns: `nil` for a resource that cannot be read.
    private func routeRead(_ request: borrowing RoutedRequest) throws(Problem) -> Disposition? {
        switch request.route {
        case .feeds: return try readFeeds(request)
        case .opml: return try readOPML(request)
        case .feed(let feed): return try readFeed(feed, request)
        case .format(let feed, let format): return try readFormat(feed, format, request)
        case .items(let feed): return try readItems(feed, request)
        case .item(let feed, let id): return try readItem(feed, id: id, request)
        case .outline(let feed): return try readOutline(feed, request)
        case .section(let feed, let id): return try readSection(feed, id: id, request)
        case .versions(let feed): return try readVersions(request.head.text(feed), request)
        case .pull: return try readPull(request)
        case .events: return try readEvents(request)
        case .feedEvents(let feed): return try readEvents(of: feed, request)
        case .push(let id): return try verifyPush(id, request)
        case .health, .readiness:
            let outcome = request.head.outcomeWithoutTag
            return try health(request.route, outcome, request.requester)
        case .metrics:
            guard let metrics = configuration.metrics else { return nil }
            return try readMetrics(metrics, request)
        case .admin(let resource):
            guard let source = configuration.metrics else { return nil }
            return try readOperator(resource, source, request)
        case .problem(let name):
            return .response(try problemPage(ExactString(request.head.text(name)), request))
        case .specification: return readSpecification(request)
        case .refresh, .version, .restore, .server, .nowhere, .nothing, .outside: return nil
        }
    }

    /// Routes methods other than GET, HEAD and OPTIONS.
    ///
    /// - Returns: `nil` for a method that the resource does not take.
    private func routeChange(_ request: borrowing RoutedRequest) throws(Problem) -> Disposition? {
        let head = request.head
        switch (request.route, request.method) {
        // What ends in a format is no feed's name, and is told so.
        case (.feed(let feed), .put), (.format(let feed, _), .put):
            return try putFeed(head.text(feed), request)
        case (.feed(let feed), .patch), (.format(let feed, _), .patch):
            return try patchFeed(head.text(feed), request)
        case (.feed(let feed), .delete), (.format(let feed, _), .delete):
            return try deleteFeed(head.text(feed), request)
        case (.items(let feed), .post): return try postItem(head.text(feed), request)
        case (.item(let feed, let id), .put):
            return try putItem(head.text(feed), id: ExactString(head.text(id)), request)
        case (.item(let feed, let id), .patch):
            return try patchItem(head.text(feed), id: ExactString(head.text(id)), request)
        case (.item(let feed, let id), .delete):
            return try deleteItem(head.text(feed), id: ExactString(head.text(id)), request)
        case (.events, .post), (.events, .query), (.pull, .query): return try followFeeds(request)
        case (.push(let id), .post): return try receivePush(id, request)
        case (.refresh(let feed), .post): return try refresh(head.text(feed), request)
        case (.restore(let feed), .post): return try restore(head.text(feed), request)
        case (.version(let feed, let token), .delete):
            return try forgetVersion(head.text(token), of: head.text(feed), request)
        default: return nil
        }
    }
}

/// The routes that are not about feeds.
extension FeedAPI {
    /// `OPTIONS`: what a resource takes, without a key.
    private func options(_ request: borrowing RoutedRequest) -> Response {
        let methods = request.route.methods
        let isReadOnly = isOpenlyReadOnly(request)
        var fields: HTTPFields = [.allow: isReadOnly ? Route.readMethods : methods]
        switch request.route {
        case .feed where !isReadOnly: fields[.acceptPatch] = BodyType.feedPatches.list
        case .item where !isReadOnly: fields[.acceptPatch] = BodyType.itemPatches.list
        case .pull, .events: fields[.acceptQuery] = BodyType.queries
        default: break
        }
        builder.cors.add(to: &fields, for: request.requester)
        // All of them: a page that may not send a method is not told why it would be refused.
        builder.cors.addPreflight(to: &fields, methods: methods)
        return Response(status: .noContent, fields: fields)
    }

    /// Whether publishes are refused here, and everyone may know it.
    private func isOpenlyReadOnly(_ request: borrowing RoutedRequest) -> Bool {
        switch request.route {
        case .feed(let feed), .items(let feed), .item(let feed, _):
            access.isOpenlyReadOnly(request.head.text(feed))
        default: false
        }
    }

    /// `GET /healthz` and `/readyz`.
    func health(
        _ route: Route,
        _ outcome: Conditions.Outcome,
        _ requester: Requester = .unknown
    ) throws(Problem) -> Disposition {
        let text = route == .health ? "alive\n" : try readiness()
        return .response(outcome.response(inPlaceOf: plain(text, requester)))
    }

    /// `GET /readyz`: whether the feeds are loaded, and whether anything is refused.
    ///
    /// - Throws: `503` where it is not ready.
    func readiness() throws(Problem) -> String {
        guard configuration.isReady(), upstream?.knowsAllFeeds != false else {
            throw .unavailable(.notReady, "the feeds are being loaded", retryAfter: 1...3)
        }
        if let time = upstream?.cutOffTime, time >= configuration.staleTime {
            throw .unavailable(
                .notReady,
                "nothing was heard for \(time.components.seconds) s of what other servers publish",
                retryAfter: 1...10
            )
        }
        var reasons = work.refusals.reasons
        if let trouble = store.journal?.trouble ?? work.refusals.lossReason {
            reasons.append("publishes are refused: \(trouble)")
        }
        guard !reasons.isEmpty else { return "ready\n" }
        // Balancers go by the status: reads go on, and what is refused here for load would be
        // refused by the others soon.
        return "degraded: " + reasons.joined(separator: "; ") + "\n"
    }

    /// `GET /problems/{name}`.
    private func problemPage(
        _ name: ExactString,
        _ request: borrowing RoutedRequest
    ) throws(Problem) -> Response {
        guard var response = ProblemPage.response(name) else {
            throw .notFound("there is no such kind of problem")
        }
        builder.cors.add(to: &response.fields, for: request.requester)
        return request.head.outcomeWithoutTag.response(inPlaceOf: response)
    }

    private func plain(_ text: String, _ requester: Requester) -> Response {
        var fields: HTTPFields = [
            .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
        builder.cors.add(to: &fields, for: requester)
        return Response(status: .ok, fields: fields, body: .bytes(Array(text.utf8)))
    }
}
