/// The results of a row.
struct Section {
    /// The results in a few words.
    var headline = ""
    var tables: [Table] = []
    var notes: [String] = []
    var hasFailed = false

    static func missing(_ reason: String) -> Section {
        Section(headline: "not measured", notes: ["Not measured: \(reason)."])
    }

    static func failed(_ reason: String) -> Section {
        Section(headline: "failed", notes: ["Failed: \(reason)."], hasFailed: true)
    }

    var markdown: String {
        (tables.map(\.markdown) + notes).joined(separator: "\n\n")
    }
}
