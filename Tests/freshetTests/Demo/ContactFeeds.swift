import FeedModel
import Testing

@testable import freshet

@Suite struct ContactFeeds {
    @Test func contactFeedsNameEveryPersonOnce() {
        let people = ContactsFeed.people
        #expect(people.count == 340)
        #expect(Set(people.map { ExactString($0.id) }).count == people.count)
        #expect(Set(people.map { ExactString($0.title) }).count == people.count)
    }

    @Test func contactFeedsHoldEveryPersonUnderALetter() {
        let snapshot = ContactsFeed.snapshot(ContactsFeed.people)
        let ids = snapshot.sections.flatMap { $0.items.map(\.id) }
        #expect(ids.count == ContactsFeed.people.count)
        #expect(Set(ids) == Set(ContactsFeed.people.map { ExactString($0.id) }))
    }

    @Test(arguments: [
        ("Élodie Yûki", "E"), ("Åsa Nuñez", "A"), ("김가온", "ㄱ"), ("최나래", "ㅊ"),
        ("Άννα Ωραίος", "#"), ("陈安然", "#"),
    ])
    func contactFeedsGoByTheFirstLetter(_ name: String, _ letter: ExactString) {
        let person = Row(id: "1", kind: "contact", title: name, summary: "Györ")
        #expect(ContactsFeed.snapshot([person]).sections.map(\.id) == [letter])
    }
}
