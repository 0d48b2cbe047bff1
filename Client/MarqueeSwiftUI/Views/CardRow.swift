#if canImport(SwiftUI)
    import Foundation
    public import MarqueeClient
    public import MarqueeScreenModels
    public import SwiftUI

    /// A card as one row of a `ScreenList` or `ScreenGrid`: title, subtitle, and a star for its subject.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    public struct CardRow: View {
        private let item: ItemModel<ItemContent>

        /// - Parameter item: the item to show.
        public init(_ item: ItemModel<ItemContent>) { self.item = item }

        /// The title, the subtitle and the star, side by side.
        public var body: some View {
            HStack {
                VStack(alignment: .leading) {
                    Text(title)
                    if let subtitle { Text(subtitle).font(.subheadline).foregroundStyle(.secondary) }
                    if let error = item.favoriteError {
                        Text(error.localizedDescription).font(.caption).foregroundStyle(.red)
                    }
                }
                Spacer()
                if item.subject != nil { FavoriteButton(item) }
            }
        }

        private var title: String {
            if case .card(let card) = item.content { card.title } else { item.id.item }
        }

        private var subtitle: String? {
            if case .card(let card) = item.content { card.subtitle } else { nil }
        }
    }

    /// A star that sets and unsets a favorite; paler while the server hasn't confirmed it. It works inside a view with
    /// `showing(_:)`, such as a `ScreenList`, and is disabled anywhere else.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    public struct FavoriteButton<Content: Sendable>: View {
        @Environment(\.favoriteAction) private var toggle
        private let item: ItemModel<Content>

        /// - Parameter item: the item whose subject is the favorite.
        public init(_ item: ItemModel<Content>) { self.item = item }

        /// The star.
        public var body: some View {
            Button {
                guard let toggle, let subject = item.subject else { return }
                Task { await toggle(subject) }
            } label: {
                Image(systemName: item.favorite.isFavorite ? "star.fill" : "star")
                    .opacity(item.favorite.isPending ? 0.5 : 1)
            }
            .buttonStyle(.borderless)
            .disabled(toggle == nil || item.subject == nil)
            .accessibilityLabel(Text(item.favorite.isFavorite ? "Remove from favorites" : "Add to favorites"))
        }
    }
#endif
