import FeedModel
import Foundation
import Testing

@testable import freshet

@Suite struct NewsFeeds {
    private let start = Date(timeIntervalSince1970: 1_790_000_000)

    @Test func newsBeginWithStoriesInTwoSections() {
        let snapshot = NewsDesk(at: start).snapshot
        #expect(snapshot.sections.map(\.id) == ["top", "latest"])
        #expect(snapshot.sections.map(\.items.count) == [4, 9])
    }

    @Test func everyStoryIsAnItemOfItsOwn() {
        #expect(NewsStory.all.allSatisfy { $0.item != nil })
        #expect(Set(NewsStory.all.map { ExactString($0.id) }).count == NewsStory.all.count)
    }

    @Test(arguments: Array(Set(NewsStory.all.compactMap(\.picture) + ["ballot"])).sorted())
    func everyPictureIsThere(_ name: String) {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Public/demo/\(name).svg")
        #expect(FileManager.default.fileExists(atPath: file.path()))
    }

    @Test func newsHaveItemsComeGoMoveAndChange() {
        var desk = NewsDesk(at: start)
        var seen: Set<NewsDesk.Event> = []
        for number in 1...200 {
            let before = desk
            let event = desk.step(at: start + Double(number * 4))
            seen.insert(event)
            let ids = (desk.top + desk.latest).map { ExactString($0.id) }
            #expect(Set(ids).count == ids.count)
            #expect(ids.count <= 24)
            switch event {
            case .arrival, .secondArrival: #expect(desk.latest.count == before.latest.count + 1)
            case .count: #expect(desk.top.first?.title != before.top.first?.title)
            case .promotion: #expect(desk.top.dropFirst().first == before.latest.first)
            case .departure: #expect(desk.latest.count <= before.latest.count)
            }
        }
        #expect(seen.count == NewsDesk.Event.allCases.count)
    }

    @Test func storiesThatComeAgainAreOthers() {
        var desk = NewsDesk(at: start)
        for number in 1...100 { desk.step(at: start + Double(number)) }
        #expect(desk.latest.contains { $0.id.hasSuffix("-2") || $0.id.hasSuffix("-3") })
    }
}
