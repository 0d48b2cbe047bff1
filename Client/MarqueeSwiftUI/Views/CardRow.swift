#if canImport(SwiftUI)
    public import MarqueeClient
    public import SwiftUI

    /// A card in one row: title, subtitle, and a star for its subject.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    public struct CardRow: View {
        private let model: ScreenModel<ItemContent>
        private let item: ItemModel<ItemContent>

        /// - Parameters:
        ///   - item: what the row shows.
        ///   - model: of the screen that the item is on.
        public init(_ item: ItemModel<ItemContent>, of model: ScreenModel<ItemContent>) {
            self.item = item
            self.model = model
        }

        /// The row.
        public var body: some View {
            HStack {
                VStack(alignment: .leading) {
                    Text(title)
                    if let subtitle { Text(subtitle).font(.subheadline).foregroundStyle(.secondary) }
                    if let error = item.favoriteError { Text(error).font(.caption).foregroundStyle(.red) }
                }
                Spacer()
                if item.subject != nil { FavoriteButton(item, of: model) }
            }
        }

        private var title: String {
            if case .card(let card) = item.content { card.title } else { item.id.item }
        }

        private var subtitle: String? {
            if case .card(let card) = item.content { card.subtitle } else { nil }
        }
    }

    /// A star that sets and unsets a favorite; paler while the server has yet to confirm it.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    public struct FavoriteButton<Content: Sendable>: View {
        private let model: ScreenModel<Content>
        private let item: ItemModel<Content>

        /// - Parameters:
        ///   - item: what the row shows.
        ///   - model: of the screen that the item is on.
        public init(_ item: ItemModel<Content>, of model: ScreenModel<Content>) {
            self.item = item
            self.model = model
        }

        /// The button.
        public var body: some View {
            Button {
                Task { await model.toggleFavorite(item) }
            } label: {
                Image(systemName: item.favorite.isFavorite ? "star.fill" : "star")
                    .opacity(item.favorite.isPending ? 0.5 : 1)
            }
            .buttonStyle(.borderless)
            .accessibilityLabel(Text(item.favorite.isFavorite ? "Remove from favorites" : "Add to favorites"))
        }
    }
#endif
