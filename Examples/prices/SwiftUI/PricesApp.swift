import FeedClient
import FeedModel
import SwiftUI

/// An item of the feed `prices`.
struct Price: Codable, Sendable, Equatable {
    var id: String
    var name: String
    var price: String
}

@main
struct PricesApp: App {
    var body: some Scene {
        WindowGroup {
            if let url = URL(string: "http://127.0.0.1:8080"), let name = FeedName("prices") {
                PriceList(prices: LiveFeed(name, of: FeedService(baseURL: url)))
            }
        }
    }
}

/// The board as a list that follows the feed while it is shown.
struct PriceList: View {
    @State var prices: LiveFeed<Price>

    var body: some View {
        NavigationStack {
            List(prices.sections) { section in
                Section(section.title ?? "") {
                    ForEach(section.rows) { row in PriceRow(row: row) }
                }
            }
            .navigationTitle(prices.title ?? "Prices")
            .overlay { if prices.isNeverLoaded { ProgressView() } }
            .refreshable { await prices.refresh() }
            .task { await prices.follow() }
        }
    }
}

/// A name and its price; an item of another shape says that it cannot be shown.
struct PriceRow: View {
    let row: LiveRow<Price>

    var body: some View {
        switch row.content {
        case .item(let price):
            LabeledContent(price.name) {
                Text(price.price).monospacedDigit().contentTransition(.numericText())
            }
        case .undecodable(let id, _): Text("\(id) cannot be shown").foregroundStyle(.secondary)
        }
    }
}
