#if canImport(SwiftUI)
    import Foundation
    import MarqueeClient
    import MarqueeSwiftUI
    import MarqueeTesting
    public import SwiftUI

    /// The whole app. `App/PodcastsApplication.swift` makes the client and shows this.
    public struct PodcastsView: View {
        private let model: AppModel

        public init(_ model: AppModel) { self.model = model }

        public var body: some View {
            VStack {
                if let notice = model.notice { Text(notice).font(.caption) }
                TabView {
                    NavigationStack { PodcastList(screen: model.home, app: model) }
                        .tabItem { Label("Home", systemImage: "house") }
                    NavigationStack { PodcastList(screen: model.favorites, app: model) }
                        .tabItem { Label("Favorites", systemImage: "star") }
                    NavigationStack { SearchView(app: model) }
                        .tabItem { Label("Search", systemImage: "magnifyingglass") }
                }
            }
            .task { await model.connection.run() }
        }
    }

    /// A screen as a list; each row leads to its episode.
    struct PodcastList: View {
        let screen: ScreenModel<Podcast>
        let app: AppModel

        var body: some View {
            ScreenList(screen) { item in
                NavigationLink {
                    if let target = item.content.target { DetailView(target, of: app) }
                } label: {
                    PodcastRow(item: item)
                }
            }
            .navigationTitle(screen.title)
        }
    }

    /// One episode or show. Keeps its model as long as it is shown.
    struct DetailView: View {
        @State private var screen: ScreenModel<Podcast>

        init(_ id: ScreenID, of app: AppModel) { _screen = State(wrappedValue: app.detail(id)) }

        var body: some View {
            ScreenList(screen) { item in PodcastRow(item: item) }
                .navigationTitle(screen.title)
        }
    }

    struct PodcastRow: View {
        let item: ItemModel<Podcast>

        var body: some View {
            HStack {
                VStack(alignment: .leading) {
                    Text(item.content.title).font(.headline)
                    Text(item.content.subtitle).font(.subheadline).foregroundStyle(.secondary)
                    if let error = item.favoriteError {
                        Text(error.localizedDescription).font(.caption).foregroundStyle(.red)
                    }
                }
                Spacer()
                FavoriteButton(item)
            }
        }
    }

    struct SearchView: View {
        let app: AppModel

        var body: some View {
            @Bindable var search = app.search
            List {
                ForEach(app.search.items) { item in Text(item.content.title) }
                if app.search.hasMore { Button("More") { app.search.showMore() } }
            }
            .searchable(text: $search.query, prompt: "Shows and episodes")
            .task { await app.search.run() }
            .navigationTitle("Search")
        }
    }

    #if DEBUG && canImport(Darwin)
        #Preview("Live") { PodcastsView(AppModel(client: .preview(Samples.screens, favorites: ["episode/moss"]))) }
        #Preview("Loading") { PodcastsView(AppModel(client: .preview(Samples.screens, network: .silent))) }
    #endif
#endif
