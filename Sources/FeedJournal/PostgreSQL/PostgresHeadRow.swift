import FeedModel

/// A row of `freshet_feed`: the newest version of a feed in the database.
struct PostgresHeadRow {
    let name: FeedName
    /// The number of the feed's incarnation; 0: there is no such feed.
    let id: Int
    let epoch: String
    let version: Int
    let hash: UInt64

    /// Reads a row of ``PostgresSchema/heads`` or a similar query; `nil`: the row names no feed.
    init?(_ rows: PostgresRows, _ row: Int) throws(PostgresError) {
        guard !rows.isNull(row, 2) else { return nil }
        guard let name = FeedName(rows.text(row, 2)) else {
            throw .lost("a feed has the name \"\(rows.text(row, 2))\"")
        }
        self.name = name
        id = rows.integer(row, 3)
        epoch = rows.text(row, 4)
        version = rows.integer(row, 5)
        hash = rows.bits(row, 6)
    }
}
