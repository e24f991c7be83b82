import FeedClient
import FeedModel
import Stories
import SwiftUI

@main
struct StoriesApp: App {
    var body: some Scene {
        WindowGroup {
            if let url = URL(string: "http://127.0.0.1:8080"), let name = StoryService.feed {
                let service = StoryService.make(baseURL: url)
                StoryList(stories: LiveFeed(name, of: service, view: FeedView(limit: 50)))
            }
        }
    }
}

/// A list that refreshes: pulled, and by itself.
struct StoryList: View {
    @State var stories: LiveFeed<Story>
    @Environment(\.scenePhase) private var phase

    var body: some View {
        NavigationStack {
            List {
                ForEach(stories.sections) { section in
                    Section(section.title ?? "") {
                        ForEach(section.rows) { row in StoryRow(row: row) }
                    }
                }
                if stories.hasMore { MoreRow(stories: stories) }
            }
            .navigationTitle(stories.title ?? "Stories")
            .overlay { if stories.isNeverLoaded { ProgressView() } }
            .safeAreaInset(edge: .bottom) {
                Text(stories.problem?.description ?? StoryWords.freshness(stories.freshness))
                    .font(.footnote)
            }
            .refreshable { await stories.refresh() }
            .task { await stories.follow() }
            .onChange(of: phase) { _, phase in
                var conditions = NetworkConditions()
                conditions.isSuspended = phase == .background
                stories.service.networkChanged(to: conditions)
            }
        }
    }
}

/// A row; an item of another shape shows that it cannot be shown, and nothing else fails.
struct StoryRow: View {
    let row: LiveRow<Story>

    var body: some View {
        switch row.content {
        case .item(let story):
            VStack(alignment: .leading) {
                Text(story.title)
                Text(story.subtitle).font(.subheadline).foregroundStyle(.secondary)
            }
        case .undecodable(let id, _): Text("\(id) cannot be shown").foregroundStyle(.secondary)
        }
    }
}

/// The row at the list's end: once it is in sight, it fetches the rows that follow.
struct MoreRow: View {
    let stories: LiveFeed<Story>

    var body: some View {
        if case .problem(let problem) = stories.loadMoreState {
            Button("Try again: \(problem.description)") { Task { await stories.loadMore() } }
        } else {
            ProgressView().task(id: stories.rowCount) { await stories.loadMore() }
        }
    }
}

#Preview {
    StoryList(
        stories: FeedPreview([Story(id: "a", title: "One"), Story(id: "b", title: "Two")]).feed
    )
}

#Preview("Offline") {
    let preview = FeedPreview(
        [Story(id: "a", title: "One")],
        freshness: .cached(asOf: Date(timeIntervalSinceNow: -3_600))
    )
    let _ = preview.server.fail(.offline)
    StoryList(stories: preview.feed)
}

#Preview("One more each time") {
    @Previewable @State var preview = FeedPreview([Story(id: "0", title: "Story 0")])
    @Previewable @State var count = 1
    StoryList(stories: preview.feed)
    Button("One more") {
        count += 1
        try? preview.show((0..<count).map { Story(id: "\($0)", title: "Story \($0)") })
    }
}
