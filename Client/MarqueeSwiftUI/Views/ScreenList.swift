#if canImport(SwiftUI)
    import MarqueeClient
    public import SwiftUI

    /// A screen as a list: a section for each of its sections, a row for each item. A start, to be replaced by an app's
    /// own design.
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
            .overlay { ScreenNotice(phase: model.phase, isEmpty: model.sections.isEmpty) }
            .showing(model)
        }
    }

    /// A screen as a grid: a heading for each of its sections, a cell for each item.
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
            .overlay { ScreenNotice(phase: model.phase, isEmpty: model.sections.isEmpty) }
            .showing(model)
        }
    }

    /// Brings the next window of a section that has more.
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
    private struct ScreenNotice: View {
        let phase: ScreenPhase
        let isEmpty: Bool

        var body: some View {
            switch phase {
            case .loading: ProgressView()
            case .refused(let error) where isEmpty:
                ContentUnavailableView(
                    "Not available", systemImage: "exclamationmark.triangle", description: Text(error.message))
            default: EmptyView()
            }
        }
    }
#endif
