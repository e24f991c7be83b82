/// A made-up person.
struct Contact: Equatable {
    var id: String
    var name: String
    var town: String

    /// Some hundreds of people, always the same: in each script, given and family names in pairs,
    /// no pair twice.
    static let all: [Contact] = ContactNames.scripts.flatMap { script in
        (0..<script.count).map { number in
            let given = script.given[number % script.given.count]
            let round = number / script.given.count
            let family = script.family[(number + 3 * round) % script.family.count]
            return Contact(
                id: "\(script.name)-\(number + 1)",
                name: script.fullName(given, family),
                town: script.towns[(number + round) % script.towns.count]
            )
        }
    }
}
