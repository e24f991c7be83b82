import FeedModel
import Foundation
import Testing

@testable import FeedClient

/// docs/conformance, "Client vectors".
@Suite struct ClientVectorRuns {
    private static let vectors = ClientVectors.all

    /// What a server has that is asked, which no vector has.
    private static let served = """
        {"kind":"snapshot","feed":"birds","token":"zzzzzzzz.1","count":0,"order":"00000000",\
        "sections":[]}
        """

    @Test func areAllThere() throws {
        let vectors = try #require(Self.vectors)
        #expect(vectors.copies.count >= 63)
        #expect(vectors.streams.count >= 12)
        #expect(vectors.orders.count >= 6 && vectors.sessions.count >= 8)
    }

    @Test(arguments: vectors?.orders ?? [])
    func haveTheCheckOnTheirOrder(_ vector: ClientVectors.Order) throws {
        let sections = try vector.sections.map { section in
            let items = try section.items.map { id in
                let json = try JSONEncoder().encode(["id": id])
                return try Snapshot(parsing: Array(#"{"items":["#.utf8) + json + Array("]}".utf8))
                    .sections[0].items[0]
            }
            return FeedSection(id: ExactString(section.id), items: items)
        }
        let order = String(Snapshot(sections: sections).order, radix: 16)
        #expect(String(repeating: "0", count: 8 - order.count) + order == vector.order)
    }

    /// Each refresh asks what it should, and nothing else.
    @Test(arguments: vectors?.sessions ?? [])
    func leadToTheRequestsOfASession(_ session: ClientVectors.Session) async throws {
        let answers = session.steps.flatMap(\.exchanges).map { exchange in
            ScriptedTransport.Answer.response(exchange.status, exchange.fields, exchange.content)
        }
        let transport = ScriptedTransport(answers: answers)
        let feed = Feed(try #require(FeedName("birds")), of: transport.service(key: "k"))
        var asked = 0
        for step in session.steps {
            _ = try? await feed.refresh()
            let requests = transport.seen.dropFirst(asked)
            asked += requests.count
            #expect(requests.count == step.exchanges.count)
            for (request, exchange) in zip(requests, step.exchanges) {
                #expect(request.method == "GET" && request.target.hasPrefix("/feeds/birds"))
                let query = request.target.split(separator: "?").dropFirst().joined()
                let parameters = query.split(separator: "&").map(String.init)
                let since = parameters.first { $0.hasPrefix("since=") }
                #expect(since == exchange.since.map { "since=\($0)" })
                #expect(exchange.since != nil || request.fields["If-None-Match"] == nil)
            }
            let held = Self.held(await feed.copy)
            #expect(held == step.holds, "\(held.text) is not \(step.holds.text)")
        }
    }

    @Test(arguments: vectors?.copies ?? [])
    func leadToWhatAFeedHolds(_ vector: ClientVectors.Copy) async throws {
        let transport = ScriptedTransport(.response(200, [:], Self.served))
        let feed = Feed(
            try #require(FeedName("birds")),
            of: transport.service(),
            view: FeedView(limit: vector.isView ? 1 : nil)
        )
        for document in vector.documents {
            #expect(transport.seen.isEmpty, "a document before the last was refused")
            _ = try await feed.take(try ServedDocument(parsing: document))
        }
        let copy = await feed.copy
        if vector.isRefused {
            #expect(transport.seen.count > 0, "the last document was not refused")
            #expect(copy.token?.description == "zzzzzzzz.1")
        } else {
            #expect(transport.seen.isEmpty, "the last document was refused")
            let holds = try #require(vector.holds)
            let held = Self.held(copy)
            #expect(held == holds, "\(held.text) is not \(holds.text)")
        }
    }

    /// What a copy holds, in the form of `holds`.
    private static func held(_ copy: FeedCopy) -> JSONValue {
        let sections = copy.snapshot.sections.map { section in
            let count = copy.count(ofSection: section.id) ?? -1
            return JSONValue.object(
                [
                    .init(name: "id", value: .string(section.id)),
                    .init(name: "count", value: .number("\(count)")),
                    .init(
                        name: "items",
                        value: .array(section.items.map { JSONValue($0.json) })
                    ),
                ] + entries(section.members)
            )
        }
        let token = copy.token.map { JSONValue.string(ExactString($0.description)) } ?? .null
        let total = copy.total.map {
            [JSONValue.Entry(name: "total", value: .number("\($0)"))]
        }
        return .object(
            [
                .init(name: "token", value: token),
                .init(name: "members", value: .object(entries(copy.snapshot.members))),
                .init(name: "sections", value: .array(sections)),
            ] + (total ?? [])
        )
    }

    private static func entries(_ members: Members) -> [JSONValue.Entry] {
        members.list.map { .init(name: $0.name, value: JSONValue($0.value)) }
    }

    @Test(arguments: vectors?.streams ?? [])
    func leadToTheEventsOfAStreamHoweverItIsCut(_ vector: ClientVectors.Stream) throws {
        let bytes = Array(vector.text.utf8)
        var bytewise = EventParser()
        let read = try bytes.flatMap { try bytewise.parse([$0]) }
        #expect(Self.events(read) == vector.events)
        let retries = read.compactMap { part -> Int? in
            guard case .retry(let time) = part else { return nil }
            return time
        }
        if let retry = vector.retry { #expect(retries.last == retry) }
        for cut in 0...bytes.count {
            var parser = EventParser()
            let parts = try parser.parse(bytes[..<cut]) + parser.parse(bytes[cut...])
            #expect(Self.events(parts) == vector.events)
        }
    }

    private static func events(_ parts: [EventParser.Part]) -> [ClientVectors.Stream.Event] {
        parts.compactMap { part in
            guard case .event(let event) = part else { return nil }
            return ClientVectors.Stream.Event(
                name: event.name,
                data: String(decoding: event.data, as: UTF8.self),
                id: event.id
            )
        }
    }
}
