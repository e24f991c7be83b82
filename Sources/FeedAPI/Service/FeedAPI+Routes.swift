import FeedModel
import HTTPServer
import HTTPTypes

/// From paths and methods to handlers.
extension FeedAPI {
    func route(_ call: Call) throws(Problem) -> Reception {
        guard call.method.isKnown else {
            throw Problem(
                .notImplemented,
                .notImplemented,
                "the method \(call.method.rawValue) is not known"
            )
        }
        switch call.resource {
        case .nowhere, .nothing, .outside:
            throw .notFound("there is nothing at this address")
        default: break
        }
        if call.method == .options { return .answer(options(call)) }
        if call.isRead, let reception = try read(call) { return reception }
        if let reception = try publish(call) { return reception }
        throw .method(call.method, allowed: call.resource.methods)
    }

    /// - Returns: `nil` for a resource that cannot be read.
    private func read(_ call: Call) throws(Problem) -> Reception? {
        switch call.resource {
        case .feeds: return try readFeeds(call)
        case .feed(let feed): return try readFeed(feed, call)
        case .items(let feed): return try readItems(feed, call)
        case .item(let feed, let id): return try readItem(feed, id: id, call)
        case .outline(let feed): return try readOutline(feed, call)
        case .section(let feed, let id): return try readSection(feed, id: id, call)
        case .pull: return try readPull(call)
        case .events: return try readEvents(call)
        case .feedEvents(let feed): return try readEvents(of: feed, call)
        case .health: return .answer(plain("alive\n", call))
        case .readiness: return .answer(try readiness(call))
        case .problem(let name): return .answer(try problemPage(name, call))
        case .refresh, .server, .nowhere, .nothing, .outside: return nil
        }
    }

    /// - Returns: `nil` for a method that the resource does not take.
    private func publish(_ call: Call) throws(Problem) -> Reception? {
        switch (call.resource, call.method) {
        case (.feed(let feed), .put): try putFeed(feed, call)
        case (.feed(let feed), .patch): try patchFeed(feed, call)
        case (.feed(let feed), .delete): try deleteFeed(feed, call)
        case (.items(let feed), .post): try postItem(feed, call)
        case (.item(let feed, let id), .put): try putItem(feed, id: id, call)
        case (.item(let feed, let id), .patch): try patchItem(feed, id: id, call)
        case (.item(let feed, let id), .delete): try deleteItem(feed, id: id, call)
        case (.refresh(let feed), .post): try refresh(feed, call)
        default: nil
        }
    }
}

/// What is not about feeds.
extension FeedAPI {
    /// `OPTIONS`: what a resource takes, without a key.
    private func options(_ call: Call) -> Response {
        let methods = call.resource.methods
        var fields: HTTPFields = [.allow: methods]
        switch call.resource {
        case .feed: fields[.acceptPatch] = BodyType.feedPatches.list
        case .item: fields[.acceptPatch] = BodyType.itemPatches.list
        default: break
        }
        composer.cors.add(to: &fields, for: call.origin)
        composer.cors.addPreflight(to: &fields, methods: methods)
        return Response(status: .noContent, fields: fields)
    }

    /// `GET /readyz`: whether the feeds are loaded.
    private func readiness(_ call: Call) throws(Problem) -> Response {
        guard configuration.isReady() else {
            var problem = Problem(.notReady, .serviceUnavailable, "the feeds are being loaded")
            problem.fields[.retryAfter] = String(Int.random(in: 1...3))
            throw problem
        }
        return plain("ready\n", call)
    }

    /// `GET /problems/{name}`.
    private func problemPage(_ name: ExactString, _ call: Call) throws(Problem) -> Response {
        guard var response = ProblemPage.response(name) else {
            throw .notFound("there is no such kind of problem")
        }
        composer.cors.add(to: &response.fields, for: call.origin)
        return response
    }

    private func plain(_ text: String, _ call: Call) -> Response {
        var fields: HTTPFields = [
            .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
        ]
        composer.cors.add(to: &fields, for: call.origin)
        return Response(status: .ok, fields: fields, body: .bytes(Array(text.utf8)))
    }
}
