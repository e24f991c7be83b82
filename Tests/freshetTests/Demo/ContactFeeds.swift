import FeedModel
import Testing

@testable import freshet

@Suite struct ContactFeeds {
    @Test func contactFeedsNameEveryPersonOnce() {
        let contacts = Contact.all
        #expect(contacts.count == 340)
        #expect(Set(contacts.map { ExactString($0.id) }).count == contacts.count)
        #expect(Set(contacts.map { ExactString($0.name) }).count == contacts.count)
    }

    @Test func contactFeedsHoldEveryPersonUnderALetter() {
        let snapshot = ContactsFeed.snapshot(Contact.all)
        let ids = snapshot.sections.flatMap { $0.items.map(\.id) }
        #expect(ids.count == Contact.all.count)
        #expect(Set(ids) == Set(Contact.all.map { ExactString($0.id) }))
    }

    @Test(arguments: [
        ("Élodie Yûki", "E"), ("Åsa Nuñez", "A"), ("김가온", "ㄱ"), ("최나래", "ㅊ"),
        ("Άννα Ωραίος", "#"), ("陈安然", "#"),
    ])
    func contactFeedsGoByTheFirstLetter(_ name: String, _ letter: ExactString) {
        let person = Contact(id: "1", name: name, town: "Györ")
        #expect(ContactsFeed.snapshot([person]).sections.map(\.id) == [letter])
    }
}
