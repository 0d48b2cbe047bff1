#if canImport(SwiftUI)
    import MarqueeClient
    public import SwiftUI

    /// A screen as a list: a section for each of its sections, a row for each item. A start, to be replaced by an app's
    /// own design.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    public struct ScreenList<Content: Sendable, Row: View>: View {
        private let model: ScreenModel<Content>
        private let row: (ItemModel<Content>) -> Row

        /// - Parameters:
        ///   - model: the screen.
        ///   - row: draws an item.
        public init(_ model: ScreenModel<Content>, @ViewBuilder row: @escaping (ItemModel<Content>) -> Row) {
            self.model = model
            self.row = row
        }

        /// The list.
        public var body: some View {
            List {
                ForEach(model.sections) { section in
                    Section {
                        ForEach(section.items) { item in row(item) }
                        ShowMoreButton(model: model, section: section)
                    } header: {
                        Text(section.title ?? "")
                    }
                }
            }
            .overlay { NoticeView(notice: model.notice) }
            .showing(model)
        }
    }

    /// A screen as a grid: a heading for each of its sections, a cell for each item.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    public struct ScreenGrid<Content: Sendable, Cell: View>: View {
        private let model: ScreenModel<Content>
        private let columns: [GridItem]
        private let cell: (ItemModel<Content>) -> Cell

        /// - Parameters:
        ///   - model: the screen.
        ///   - minimumWidth: of a cell, in points; as many stand side by side as there is room for.
        ///   - cell: draws an item.
        public init(
            _ model: ScreenModel<Content>, minimumWidth: Double = 140,
            @ViewBuilder cell: @escaping (ItemModel<Content>) -> Cell
        ) {
            self.model = model
            columns = [GridItem(.adaptive(minimum: minimumWidth), spacing: 12)]
            self.cell = cell
        }

        /// The list.
        public var body: some View {
            ScrollView {
                LazyVGrid(columns: columns, alignment: .leading, spacing: 12) {
                    ForEach(model.sections) { section in
                        Section {
                            ForEach(section.items) { item in cell(item) }
                            ShowMoreButton(model: model, section: section)
                        } header: {
                            Text(section.title ?? "").font(.headline)
                        }
                    }
                }
                .padding()
            }
            .overlay { NoticeView(notice: model.notice) }
            .showing(model)
        }
    }

    /// Brings the next window of a section that has more.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    private struct ShowMoreButton<Content: Sendable>: View {
        let model: ScreenModel<Content>
        let section: SectionModel<Content>

        var body: some View {
            if section.canShowMore {
                Button(section.head.footer?.title ?? "More") {
                    Task { await model.showMore(of: section.id) }
                }
                .disabled(model.changingSections.contains(section.id))
            }
        }
    }

    /// What stands in for a screen that has nothing to show.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    private struct NoticeView: View {
        let notice: ScreenNotice?

        var body: some View {
            switch notice {
            case .loading?: ProgressView()
            case .unavailable(let reason)?:
                ContentUnavailableView(
                    "Not available", systemImage: "exclamationmark.triangle", description: Text(reason))
            case .stored?, nil: EmptyView()
            }
        }
    }
#endif
