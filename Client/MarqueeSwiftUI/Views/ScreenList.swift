#if canImport(SwiftUI)
    import Foundation
    import MarqueeClient
    import MarqueeLayout
    public import MarqueeScreenModels
    public import SwiftUI

    /// A screen as a list, with a section for each of its sections, shown by its kind: rows, or several items side by
    /// side. A starting point, to be replaced by an app's own design.
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
                        SectionRows(section: section) { item in row(item).seen(item.id, by: model) }
                        ShowMoreButton(model: model, section: section)
                    } header: {
                        SectionTitle(section: section)
                    }
                }
            }
            .overlay { NoticeView(notice: model.notice) }
            .showing(model)
        }
    }

    /// A screen as a grid, with a heading for each of its sections and a cell for each item.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    public struct ScreenGrid<Content: Sendable, Cell: View>: View {
        private let model: ScreenModel<Content>
        private let columns: [GridItem]
        private let cell: (ItemModel<Content>) -> Cell

        /// - Parameters:
        ///   - model: the screen.
        ///   - minimumWidth: the minimum width of a cell, in points; each row has as many cells as fit.
        ///   - cell: draws an item.
        public init(
            _ model: ScreenModel<Content>, minimumWidth: Double = 140,
            @ViewBuilder cell: @escaping (ItemModel<Content>) -> Cell
        ) {
            self.model = model
            columns = [GridItem(.adaptive(minimum: minimumWidth), spacing: 12)]
            self.cell = cell
        }

        /// The grid.
        public var body: some View {
            ScrollView {
                LazyVGrid(columns: columns, alignment: .leading, spacing: 12) {
                    ForEach(model.sections) { section in
                        Section {
                            ForEach(section.items) { item in cell(item).seen(item.id, by: model) }
                            ShowMoreButton(model: model, section: section)
                        } header: {
                            SectionTitle(section: section).font(.headline)
                        }
                    }
                }
                .padding()
            }
            .overlay { NoticeView(notice: model.notice) }
            .showing(model)
        }
    }

    /// The items of a section, shown by its kind.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    private struct SectionRows<Content: Sendable, Row: View>: View {
        let section: SectionModel<Content>
        let row: (ItemModel<Content>) -> Row

        private var design: SectionDesign {
            SectionDesign(of: section.kind, hasOnlyWords: section.hasOnlyWords)
        }
        private var measures: SectionDesign.Measures { .phone }

        var body: some View {
            switch design {
            case .tiles, .grid:
                LazyVGrid(columns: columns, alignment: .leading, spacing: CGFloat(measures.gap)) { rows }
            case .picture: rows.frame(minHeight: CGFloat(measures.picture))
            case .text, .lines, .bare: rows
            }
        }

        private var rows: some View { ForEach(section.items) { item in row(item) } }

        /// As many columns as on a phone, and more in a wider view.
        private var columns: [GridItem] {
            [GridItem(.adaptive(minimum: CGFloat(design.leastWidth(in: measures))), spacing: CGFloat(measures.gap))]
        }
    }

    /// The heading of a section; nothing if its kind isn't known.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    private struct SectionTitle<Content: Sendable>: View {
        let section: SectionModel<Content>

        var body: some View {
            if let title = section.title, SectionDesign(of: section.kind) != .bare { Text(title) }
        }
    }

    /// Fetches the next window of a section that has more.
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

    /// The view for a screen that has nothing to show.
    @available(iOS 17, tvOS 17, watchOS 10, *)
    private struct NoticeView: View {
        let notice: ScreenNotice?

        var body: some View {
            switch notice {
            case .loading?: ProgressView()
            case .unavailable(let error)?:
                ContentUnavailableView(
                    "Not available", systemImage: "exclamationmark.triangle",
                    description: Text(error.localizedDescription))
            case .stored?, nil: EmptyView()
            }
        }
    }
#endif
