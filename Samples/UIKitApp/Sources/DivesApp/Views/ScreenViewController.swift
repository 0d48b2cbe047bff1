#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import MarqueeClient
    import MarqueeUIKit
    public import UIKit

    /// Any screen as a list: a tap opens a row's screen, a star sets its favorite. `App/SceneDelegate.swift` makes the
    /// client, and puts this into a navigation controller.
    public final class ScreenViewController: UIViewController {
        private let app: AppModel
        private let model: ScreenModel<Dive>
        private let collectionView = UICollectionView(
            frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
        private var list: ScreenListController<Dive>?

        public init(_ screen: ScreenID, of app: AppModel) {
            self.app = app
            model = app.screen(screen)
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable)
        public required init?(coder: NSCoder) { nil }

        public override func loadView() { view = collectionView }

        public override func viewDidLoad() {
            super.viewDidLoad()
            let cells = UICollectionView.CellRegistration<UICollectionViewListCell, ItemModel<Dive>> {
                [weak self] cell, _, item in
                self?.fill(cell, with: item)
            }
            let list = ScreenListController(model, in: collectionView) { view, path, item in
                view.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
            }
            list.select = { [weak self] item in self?.open(item) }
            list.noticeChanged = { [weak self] notice in self?.say(notice) }
            list.failed = { [weak self] error in self?.navigationItem.prompt = error.localizedDescription }
            showHeaders(of: list)
            self.list = list
        }

        public override func viewWillAppear(_ animated: Bool) {
            super.viewWillAppear(animated)
            list?.start()
        }

        public override func viewDidDisappear(_ animated: Bool) {
            super.viewDidDisappear(animated)
            list?.stop()
        }

        /// The kind of headers, with or without a layout.
        private static let headerKind = "header"

        private func showHeaders(of list: ScreenListController<Dive>) {
            // Once and here: UIKit refuses a registration that is made while it asks for a view.
            typealias Registration = UICollectionView.SupplementaryRegistration<UICollectionViewListCell>
            let headers = Registration(elementKind: Self.headerKind) { _, _, _ in }
            list.supplementary = { view, kind, path, section in
                guard kind == Self.headerKind else {
                    // A footer, or a view of a kind that this app has no picture of.
                    view.register(
                        UICollectionReusableView.self, forSupplementaryViewOfKind: kind, withReuseIdentifier: kind)
                    return view.dequeueReusableSupplementaryView(ofKind: kind, withReuseIdentifier: kind, for: path)
                }
                let header = view.dequeueConfiguredReusableSupplementary(using: headers, for: path)
                Self.fill(header, with: section)
                return header
            }
            list.refreshSupplementary = { view, _, section in
                if let header = view as? UICollectionViewListCell { Self.fill(header, with: section) }
            }
        }

        private static func fill(_ header: UICollectionViewListCell, with section: SectionModel<Dive>) {
            var content = UIListContentConfiguration.plainHeader()
            content.text = section.title
            header.contentConfiguration = content
        }

        private func fill(_ cell: UICollectionViewListCell, with item: ItemModel<Dive>) {
            var content = UIListContentConfiguration.subtitleCell()
            content.text = item.content.title
            content.secondaryText = item.favoriteError?.localizedDescription ?? item.content.subtitle
            cell.contentConfiguration = content
            cell.accessories = item.subject == nil ? [] : [.customView(configuration: star(item))]
        }

        private func star(_ item: ItemModel<Dive>) -> UICellAccessory.CustomViewConfiguration {
            let button = UIButton(
                primaryAction: UIAction(
                    image: UIImage(systemName: item.favorite.isFavorite ? "star.fill" : "star")
                ) { [weak self] _ in self?.list?.toggleFavorite(item) })
            button.alpha = item.favorite.isPending ? 0.5 : 1
            button.accessibilityLabel = item.favorite.isFavorite ? "Remove from favorites" : "Add to favorites"
            return UICellAccessory.CustomViewConfiguration(customView: button, placement: .trailing())
        }

        private func open(_ item: ItemModel<Dive>) {
            guard let target = item.content.target else { return }
            navigationController?.pushViewController(ScreenViewController(target, of: app), animated: true)
        }

        private func say(_ notice: ScreenNotice?) {
            navigationItem.title = model.title
            navigationItem.prompt = AppModel.words(for: notice)
            contentUnavailableConfiguration = notice == .loading ? UIContentUnavailableConfiguration.loading() : nil
        }
    }
#endif
