import FeedClient
import FeedModel
import Foundation
import Stories
import Testing

/// What the double of a server does with edits and single items.
@Suite(.timeLimit(.minutes(2))) struct InMemoryEdits {
    private let server = InMemoryServer()
    private let service: FeedService
    private let name: FeedName

    init() throws {
        service = server.service()
        name = try #require(FeedName("news"))
        try server.replace(name, withItems: ["a", "b"].map { Story(id: $0, title: "Old") })
    }

    private struct Row: Decodable {
        let id: String
        let title: String?
    }

    private func rows() async throws -> [String] {
        let feed = Feed(name, of: service)
        _ = try await feed.refresh()
        return try await feed.copy.snapshot.sections.flatMap { section in
            try section.items.map { item in
                let row = try JSONDecoder().decode(Row.self, from: Data(item.json.bytes))
                return "\(row.id) \(row.title ?? "")"
            }
        }
    }

    /// The status and the problem that something is refused with.
    private func refusal(_ publish: () async throws -> Void) async -> String {
        do {
            try await publish()
            return "published"
        } catch FeedServiceError.problem(let status, let type, _) {
            return "\(status) \(type)"
        } catch {
            return "\(error)"
        }
    }

    @Test func areApplied() async throws {
        let result = try await service.edit(name) { edits in
            try edits.insert(Story(id: "c", title: "New"), at: .after("a"))
            try edits.set(["title": "Edited"], ofItem: "a")
            try edits.move("b", at: .start)
            try edits.insertSection(["id": "more"])
        }
        #expect(result.isChanged && result.counts.items.inserted == 1)
        #expect(result.counts.sections.inserted == 1)
        #expect(try await rows() == ["b Old", "a Edited", "c New"])
    }

    @Test func areRefusedAllTogether() async throws {
        let said = await refusal {
            _ = try await service.edit(name) { edits in
                try edits.remove("a")
                try edits.remove("nobody")
            }
        }
        #expect(said == "409 /problems/edit-failed")
        let broken = Data(#"{"edits":[{"fly":"a"}]}"#.utf8)
        let malformed = await refusal { _ = try await service.edit(name, json: broken) }
        #expect(malformed == "400 /problems/malformed")
        #expect(try await rows() == ["a Old", "b Old"])
        let other = try #require(FeedName("other"))
        let missing = await refusal { _ = try await service.edit(other) { try $0.remove("a") } }
        #expect(missing == "404 /problems/not-found")
    }

    @Test func itemsComeAndChangeAndGo() async throws {
        _ = try await service.insert(Story(id: "c", title: "New"), into: name, at: .end)
        _ = try await service.insert(
            json: Data(#"[{"id":"d"},{"id":"e"}]"#.utf8),
            into: name,
            at: .before("b")
        )
        _ = try await service.replaceItem("a", of: name, with: ["title": "Replaced"])
        try await service.updateItem("b", of: name, with: ["title": "Patched"])
        #expect(try await service.removeItem("c", of: name))
        #expect(try await !service.removeItem("c", of: name))
        #expect(try await rows() == ["a Replaced", "d ", "e ", "b Patched"])
        let twice = await refusal {
            _ = try await service.insert(Story(id: "a", title: "Again"), into: name)
        }
        #expect(twice == "409 /problems/conflict")
    }

    @Test func areTriedAndKeptToAVersion() async throws {
        let first = try await service.edit(name, options: PublishOptions(isDryRun: true)) {
            try $0.remove("a")
        }
        #expect(first.isDryRun && first.counts.items.removed == 1 && first.token == nil)
        let trial = PublishOptions(isDryRun: true)
        #expect(try await service.removeItem("a", of: name, options: trial))
        #expect(try await service.remove(name, options: trial))
        #expect(try await rows() == ["a Old", "b Old"])
        let current = try await service.edit(name) { try $0.remove("a") }
        let stale = PublishOptions(ifMatch: first.since)
        let late = await refusal {
            _ = try await service.edit(name, options: stale) { try $0.remove("b") }
        }
        #expect(late == "412 /problems/precondition")
        let fresh = PublishOptions(ifMatch: current.token)
        #expect(try await service.removeItem("b", of: name, options: fresh))
    }

    @Test func happenOnceHoweverOftenTheyCome() async throws {
        let options = PublishOptions(idempotencyKey: "one")
        let item = Story(id: "c", title: "New")
        let first = try await service.insert(item, into: name, options: options)
        let again = try await service.insert(item, into: name, options: options)
        #expect(first == again && first.isChanged)
        #expect(try await rows().count == 3)
    }
}
