#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import MarqueeClient
    internal import MarqueeLayout
    public import MarqueeScreenModels
    public import UIKit

    /// Shows a live screen in a collection view: its data source, its layout, its animations and its paging.
    ///
    /// ```swift
    /// let model = ScreenModel(.home, of: client) { Film($0) }
    /// list = ScreenListController(model, in: collectionView) { view, path, item in
    ///     view.dequeueConfiguredReusableCell(using: registration, for: path, item: item)
    /// }
    /// ```
    ///
    /// Rows moved by the server are animated as moves; content that changed in place keeps its cell. A section is laid
    /// out as the server says, or by its kind. The controller reports which cells are in view, and for how long, if the
    /// server asks for it, and requests a section's next page near its end. Keep the controller as long as the view is
    /// shown: a collection view doesn't keep its data source alive.
    @available(iOS 17, tvOS 17, *)
    @MainActor
    public final class ScreenListController<Content: Sendable>: NSObject, UICollectionViewDataSource,
        UICollectionViewDelegate
    {
        /// Creates the cell of an item.
        public typealias CellProvider = (UICollectionView, IndexPath, ItemModel<Content>) -> UICollectionViewCell
        /// Creates a header, footer, side view or badge; the string is the kind of element.
        public typealias SupplementaryProvider = (
            UICollectionView, String, IndexPath, SectionModel<Content>
        ) -> UICollectionReusableView

        /// The screen shown. The controller sets the model's `perform`.
        public let model: ScreenModel<Content>
        /// Creates supplementary views, such as headers; without it they are empty.
        public var supplementary: SupplementaryProvider?
        /// Updates a visible supplementary view after its section's head has changed.
        public var refreshSupplementary: ((UICollectionReusableView, String, SectionModel<Content>) -> Void)?
        /// Called when an item is tapped.
        public var select: ((ItemModel<Content>) -> Void)?
        /// Called when the notice may have changed: loading, unavailable, or how old the content is.
        public var noticeChanged: ((ScreenNotice?) -> Void)?
        /// Called when a favorite can't be set, or a page can't be requested.
        public var failed: ((ClientError) -> Void)?
        /// Whether insertions, deletions and moves of rows are animated.
        public var isAnimated = true

        private let collectionView: UICollectionView
        private let cell: CellProvider
        private var run: Task<Void, Never>?
        /// The last screen shown, as its sequence delivered it.
        private var shown: Screen?
        /// The sections that the collection view has been given.
        private var sections: [ScreenSection] = []
        private var items: [ItemModel<Content>.ID: ItemModel<Content>] = [:]

        /// Makes the controller the collection view's data source and delegate, and sets the view's layout. Shows
        /// nothing until `start`.
        /// - Parameters:
        ///   - model: the screen.
        ///   - collectionView: the view that shows it.
        ///   - cell: called on the main thread for each cell that comes into view or has new content.
        public init(
            _ model: ScreenModel<Content>, in collectionView: UICollectionView, cell: @escaping CellProvider
        ) {
            self.model = model
            self.collectionView = collectionView
            self.cell = cell
            super.init()
            collectionView.dataSource = self
            collectionView.delegate = self
            collectionView.collectionViewLayout = UICollectionViewCompositionalLayout { [weak self] in
                self?.layout(of: $0, in: $1)
            }
            model.perform = { [weak self] update, show in
                guard let self else { return show() }
                self.show(update, show)
            }
        }

        deinit { run?.cancel() }

        // MARK: - Showing

        /// Starts following the screen; call it in `viewWillAppear`. Calling it twice is harmless.
        public func start() {
            guard run == nil else { return }
            noticeChanged?(model.notice)
            run = Task { [weak self, model] in
                await model.run()
                self?.ended()
            }
        }

        /// Stops following the screen, and keeps the content; call it in `viewDidDisappear`.
        public func stop() {
            run?.cancel()
            run = nil
        }

        /// The item at a place; `nil` if there is none.
        public func item(at path: IndexPath) -> ItemModel<Content>? {
            guard sections.indices.contains(path.section), sections[path.section].items.indices.contains(path.item)
            else { return nil }
            let section = sections[path.section]
            return items[ItemModel<Content>.ID(section: section.id, item: section.items[path.item].id)]
        }

        /// Sets or unsets the favorite of an item, for a star or a swipe. The change is shown immediately.
        public func toggleFavorite(_ item: ItemModel<Content>) {
            Task {
                await model.toggleFavorite(item)
                reportFailure()
            }
        }

        private func ended() {
            // After a cancelled run, `run` is already the next one, or `nil`.
            if case .refused = model.phase {
                run = nil
                noticeChanged?(model.notice)
            }
        }

        private func show(_ update: ScreenUpdate, _ show: () -> Void) {
            show()
            var fresh: [ItemModel<Content>.ID: ItemModel<Content>] = [:]
            for section in model.sections { for item in section.items { fresh[item.id] = item } }
            // Until the last batch, cells may be requested for items that are being removed.
            items.merge(fresh) { _, new in new }
            collectionView.perform(update, after: shown, isAnimated: isAnimated) { [weak self] sections in
                self?.sections = sections
            } refreshSection: { index in
                refresh(index)
            }
            items = fresh
            shown = update.screen
            noticeChanged?(model.notice)
            tellWhatIsInView()
        }

        private func refresh(_ index: Int) {
            guard let refreshSupplementary, let section = self.section(at: index) else { return }
            let path = IndexPath(item: 0, section: index)
            for kind in Set(shownLayout(of: section.head, section.hasOnlyWords).supplementaries.map(\.kind)) {
                guard let view = collectionView.supplementaryView(forElementKind: kind, at: path) else { continue }
                refreshSupplementary(view, kind, section)
            }
        }

        private func section(at index: Int) -> SectionModel<Content>? {
            guard sections.indices.contains(index) else { return nil }
            return model[section: sections[index].id]
        }

        private func reportFailure() {
            if let error = model.actionError { failed?(error) }
        }

        // MARK: - Layout

        private func layout(
            of index: Int, in environment: any NSCollectionLayoutEnvironment
        ) -> NSCollectionLayoutSection {
            let width = Double(environment.container.effectiveContentSize.width)
            guard sections.indices.contains(index) else {
                // A section that is being removed. UIKit throws if it gets none.
                let none = SectionHead(kind: SectionKind(rawValue: 0))
                return NSCollectionLayoutSection(shownLayout(of: none, true, width: width))
            }
            let section = sections[index]
            return NSCollectionLayoutSection(
                shownLayout(of: section.head, section.items.haveOnlyWords, width: width))
        }

        /// The section's own layout, or that of its kind.
        private func shownLayout(of head: SectionHead, _ hasOnlyWords: Bool, width: Double = 0) -> SectionLayout {
            if let layout = head.layout { return layout }
            let design = SectionDesign(of: head.kind, hasOnlyWords: hasOnlyWords)
            var layout = design.layout(for: head, in: .screen(width: width))
            // Without a provider, the views would be empty and only take up room.
            if supplementary == nil { layout.supplementaries = [] }
            return layout
        }

        // MARK: - Data source

        /// The reuse identifier of the empty view used where the app provides none.
        private static var empty: String { "marquee.empty" }

        public func numberOfSections(in collectionView: UICollectionView) -> Int { sections.count }

        public func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
            sections.indices.contains(section) ? sections[section].items.count : 0
        }

        public func collectionView(
            _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
        ) -> UICollectionViewCell {
            guard let item = item(at: indexPath) else {
                // UIKit accepts only cells that were dequeued.
                collectionView.register(UICollectionViewCell.self, forCellWithReuseIdentifier: Self.empty)
                return collectionView.dequeueReusableCell(withReuseIdentifier: Self.empty, for: indexPath)
            }
            return cell(collectionView, indexPath, item)
        }

        public func collectionView(
            _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
        ) -> UICollectionReusableView {
            guard let supplementary, let section = section(at: indexPath.section) else {
                collectionView.register(
                    UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: Self.empty)
                return collectionView.dequeueReusableSupplementaryView(
                    ofKind: kind, withReuseIdentifier: Self.empty, for: indexPath)
            }
            return supplementary(collectionView, kind, indexPath, section)
        }

        // MARK: - Delegate

        public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
            collectionView.deselectItem(at: indexPath, animated: true)
            guard let item = item(at: indexPath) else { return }
            model.tapped(item.id)
            select?(item)
        }

        public func scrollViewDidScroll(_ scrollView: UIScrollView) { tellWhatIsInView() }

        public func collectionView(
            _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell,
            forItemAt indexPath: IndexPath
        ) { tellWhatIsInView() }

        /// Reports the visible share of each cell to the model.
        private func tellWhatIsInView() {
            let bounds = collectionView.bounds
            var shares: [ItemModel<Content>.ID: Double] = [:]
            for path in collectionView.indexPathsForVisibleItems {
                guard let item = item(at: path), let cell = collectionView.cellForItem(at: path) else { continue }
                let frame = cell.convert(cell.bounds, to: collectionView)
                let area = frame.width * frame.height
                let seen = frame.intersection(bounds)
                guard area > 0, !seen.isNull else { continue }
                shares[item.id] = Double(seen.width * seen.height / area)
            }
            model.saw(shares)
        }

        public func collectionView(
            _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell,
            forItemAt indexPath: IndexPath
        ) {
            tellWhatIsInView()
            guard sections.indices.contains(indexPath.section) else { return }
            let section = sections[indexPath.section].id
            guard model.wantsMore(of: section, showing: indexPath.item) else { return }
            Task {
                await model.showMore(of: section)
                reportFailure()
            }
        }
    }
#endif
