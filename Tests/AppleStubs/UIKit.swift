// The signatures of UIKit that Marquee uses, as Apple documents them for iOS 18, so that it can be type-checked on
// systems without UIKit. Nothing here does anything, and it is no target of the package: `canImport(UIKit)` would be
// true elsewhere.

public import Foundation

// MARK: - Layout

@MainActor open class NSCollectionLayoutDimension: NSObject {
    open class func fractionalWidth(_ fractionalWidth: CGFloat) -> Self { unusable() }
    open class func fractionalHeight(_ fractionalHeight: CGFloat) -> Self { unusable() }
    open class func absolute(_ absoluteDimension: CGFloat) -> Self { unusable() }
    open class func estimated(_ estimatedDimension: CGFloat) -> Self { unusable() }
}

@MainActor open class NSCollectionLayoutSize: NSObject {
    public convenience init(
        widthDimension width: NSCollectionLayoutDimension, heightDimension height: NSCollectionLayoutDimension
    ) { unusable() }
}

@MainActor open class NSCollectionLayoutSpacing: NSObject {
    open class func flexible(_ flexibleSpacing: CGFloat) -> Self { unusable() }
    open class func fixed(_ fixedSpacing: CGFloat) -> Self { unusable() }
}

@MainActor open class NSCollectionLayoutEdgeSpacing: NSObject {
    public convenience init(
        leading: NSCollectionLayoutSpacing?, top: NSCollectionLayoutSpacing?, trailing: NSCollectionLayoutSpacing?,
        bottom: NSCollectionLayoutSpacing?
    ) { unusable() }
}

@MainActor open class NSCollectionLayoutAnchor: NSObject {
    public convenience init(edges: NSDirectionalRectEdge) { unusable() }
    public convenience init(edges: NSDirectionalRectEdge, absoluteOffset: CGPoint) { unusable() }
    public convenience init(edges: NSDirectionalRectEdge, fractionalOffset: CGPoint) { unusable() }
}

@MainActor open class NSCollectionLayoutItem: NSObject {
    public convenience init(layoutSize: NSCollectionLayoutSize) { unusable() }
    public convenience init(
        layoutSize: NSCollectionLayoutSize, supplementaryItems: [NSCollectionLayoutSupplementaryItem]
    ) { unusable() }
    open var edgeSpacing: NSCollectionLayoutEdgeSpacing? {
        get { unusable() }
        set {}
    }
    open var contentInsets: NSDirectionalEdgeInsets {
        get { unusable() }
        set {}
    }
}

@MainActor open class NSCollectionLayoutGroup: NSCollectionLayoutItem {
    open class func horizontal(layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]) -> Self {
        unusable()
    }
    open class func horizontal(
        layoutSize: NSCollectionLayoutSize, repeatingSubitem subitem: NSCollectionLayoutItem, count: Int
    ) -> Self { unusable() }
    open class func vertical(layoutSize: NSCollectionLayoutSize, subitems: [NSCollectionLayoutItem]) -> Self {
        unusable()
    }
    open class func vertical(
        layoutSize: NSCollectionLayoutSize, repeatingSubitem subitem: NSCollectionLayoutItem, count: Int
    ) -> Self { unusable() }
    open var interItemSpacing: NSCollectionLayoutSpacing? {
        get { unusable() }
        set {}
    }
}

@MainActor open class NSCollectionLayoutSupplementaryItem: NSCollectionLayoutItem {
    public convenience init(
        layoutSize: NSCollectionLayoutSize, elementKind: String, containerAnchor: NSCollectionLayoutAnchor
    ) { unusable() }
    open var zIndex: Int {
        get { unusable() }
        set {}
    }
}

@MainActor open class NSCollectionLayoutBoundarySupplementaryItem: NSCollectionLayoutSupplementaryItem {
    public convenience init(layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: NSRectAlignment) {
        unusable()
    }
    public convenience init(
        layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: NSRectAlignment, absoluteOffset: CGPoint
    ) { unusable() }
    open var pinToVisibleBounds: Bool {
        get { unusable() }
        set {}
    }
}

@MainActor open class NSCollectionLayoutDecorationItem: NSCollectionLayoutItem {
    open class func background(elementKind: String) -> Self { unusable() }
    open var zIndex: Int {
        get { unusable() }
        set {}
    }
}

@MainActor open class NSCollectionLayoutSection: NSObject {
    public convenience init(group: NSCollectionLayoutGroup) { unusable() }
    open var contentInsets: NSDirectionalEdgeInsets {
        get { unusable() }
        set {}
    }
    open var contentInsetsReference: UIContentInsetsReference {
        get { unusable() }
        set {}
    }
    open var interGroupSpacing: CGFloat {
        get { unusable() }
        set {}
    }
    open var orthogonalScrollingBehavior: UICollectionLayoutSectionOrthogonalScrollingBehavior {
        get { unusable() }
        set {}
    }
    open var boundarySupplementaryItems: [NSCollectionLayoutBoundarySupplementaryItem] {
        get { unusable() }
        set {}
    }
    open var decorationItems: [NSCollectionLayoutDecorationItem] {
        get { unusable() }
        set {}
    }
}

public enum UIContentInsetsReference: Int, Sendable {
    case automatic, none, safeArea, layoutMargins, readableContent
}

@MainActor public protocol NSCollectionLayoutContainer: NSObjectProtocol {
    var effectiveContentSize: CGSize { get }
}

@MainActor public protocol NSCollectionLayoutEnvironment: NSObjectProtocol {
    var container: any NSCollectionLayoutContainer { get }
}

public typealias UICollectionViewCompositionalLayoutSectionProvider = (Int, any NSCollectionLayoutEnvironment) ->
    NSCollectionLayoutSection?

@MainActor open class UICollectionViewCompositionalLayout: UICollectionViewLayout {
    public init(sectionProvider: @escaping UICollectionViewCompositionalLayoutSectionProvider) { unusable() }
}

@MainActor open class UICollectionViewFlowLayout: UICollectionViewLayout {
    public override init() { unusable() }
}

public enum UICollectionLayoutSectionOrthogonalScrollingBehavior: Int, Sendable {
    case none, continuous, continuousGroupLeadingBoundary, paging, groupPaging, groupPagingCentered
}

public struct NSDirectionalEdgeInsets: Sendable {
    public var top: CGFloat
    public var leading: CGFloat
    public var bottom: CGFloat
    public var trailing: CGFloat

    public init(top: CGFloat, leading: CGFloat, bottom: CGFloat, trailing: CGFloat) { unusable() }
}

public struct NSDirectionalRectEdge: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let top = NSDirectionalRectEdge(rawValue: 1)
    public static let leading = NSDirectionalRectEdge(rawValue: 2)
    public static let bottom = NSDirectionalRectEdge(rawValue: 4)
    public static let trailing = NSDirectionalRectEdge(rawValue: 8)
}

public enum NSRectAlignment: Int, Sendable {
    case none, top, topLeading, leading, bottomLeading, bottom, bottomTrailing, trailing, topTrailing
}

// MARK: - Data source

public struct NSDiffableDataSourceSnapshot<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
    public init() {}
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {}
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {}
}

// MARK: - Views

@MainActor open class UIResponder: NSObject {
    public nonisolated override init() { super.init() }
}

@MainActor open class UIView: UIResponder {
    public init(frame: CGRect) { unusable() }
    open class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {}
    open var window: UIWindow? { nil }
    open var bounds: CGRect {
        get { unusable() }
        set {}
    }
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect { unusable() }
    open var alpha: CGFloat {
        get { unusable() }
        set {}
    }
    open var accessibilityLabel: String? {
        get { unusable() }
        set {}
    }
}

@MainActor open class UIWindow: UIView {
    public init(windowScene: UIWindowScene) { unusable() }
    open var rootViewController: UIViewController? {
        get { unusable() }
        set {}
    }
    open func makeKeyAndVisible() {}
}

@MainActor open class UICollectionViewLayout: NSObject {
    open func invalidateLayout() {}
}

@MainActor open class UICollectionReusableView: UIView {}

@MainActor open class UICollectionViewCell: UICollectionReusableView {
    open var contentConfiguration: (any UIContentConfiguration)? {
        get { unusable() }
        set {}
    }
}

@MainActor open class UICollectionViewListCell: UICollectionViewCell {
    open var accessories: [UICellAccessory] {
        get { unusable() }
        set {}
    }
}

@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
    func numberOfSections(in collectionView: UICollectionView) -> Int
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
    func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell
    func collectionView(
        _ collectionView: UICollectionView, viewForSupplementaryElementOfKind kind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView
}

@MainActor open class UIScrollView: UIView {}

@MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {
    func scrollViewDidScroll(_ scrollView: UIScrollView)
}

@MainActor public protocol UICollectionViewDelegate: UIScrollViewDelegate {
    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
    func collectionView(
        _ collectionView: UICollectionView, willDisplay cell: UICollectionViewCell, forItemAt indexPath: IndexPath)
    func collectionView(
        _ collectionView: UICollectionView, didEndDisplaying cell: UICollectionViewCell, forItemAt indexPath: IndexPath)
}

extension UICollectionView {
    @MainActor public struct CellRegistration<Cell: UICollectionViewCell, Item> {
        public typealias Handler = (_ cell: Cell, _ indexPath: IndexPath, _ itemIdentifier: Item) -> Void
        public init(handler: @escaping Handler) { unusable() }
    }

    @MainActor public struct SupplementaryRegistration<Supplementary: UICollectionReusableView> {
        public typealias Handler = (
            _ supplementaryView: Supplementary, _ elementKind: String, _ indexPath: IndexPath
        ) -> Void
        public init(elementKind: String, handler: @escaping Handler) { unusable() }
    }

    public func dequeueConfiguredReusableCell<Cell: UICollectionViewCell, Item>(
        using registration: CellRegistration<Cell, Item>, for indexPath: IndexPath, item: Item?
    ) -> Cell { unusable() }
    public func dequeueConfiguredReusableSupplementary<Supplementary: UICollectionReusableView>(
        using registration: SupplementaryRegistration<Supplementary>, for indexPath: IndexPath
    ) -> Supplementary { unusable() }
}

@MainActor open class UICollectionView: UIScrollView {
    public init(frame: CGRect, collectionViewLayout layout: UICollectionViewLayout) { unusable() }
    open weak var dataSource: (any UICollectionViewDataSource)?
    open weak var delegate: (any UICollectionViewDelegate)?
    open var indexPathsForVisibleItems: [IndexPath] { unusable() }
    open func cellForItem(at indexPath: IndexPath) -> UICollectionViewCell? { unusable() }
    open func register(_ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
    open func register(
        _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String,
        withReuseIdentifier identifier: String
    ) {}
    open func dequeueReusableCell(
        withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionViewCell { unusable() }
    open func dequeueReusableSupplementaryView(
        ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
    ) -> UICollectionReusableView { unusable() }
    open func supplementaryView(
        forElementKind elementKind: String, at indexPath: IndexPath
    ) -> UICollectionReusableView? { unusable() }
    open func deselectItem(at indexPath: IndexPath, animated: Bool) {}
    open var collectionViewLayout: UICollectionViewLayout {
        get { unusable() }
        set {}
    }
    open func reloadData() {}
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {}
    open func insertSections(_ sections: IndexSet) {}
    open func deleteSections(_ sections: IndexSet) {}
    open func moveSection(_ section: Int, toSection newSection: Int) {}
    open func insertItems(at indexPaths: [IndexPath]) {}
    open func deleteItems(at indexPaths: [IndexPath]) {}
    open func moveItem(at indexPath: IndexPath, to newIndexPath: IndexPath) {}
    open func reconfigureItems(at indexPaths: [IndexPath]) {}
}

// MARK: - What a sample shows

public protocol UIContentConfiguration {}

public struct UIListContentConfiguration: UIContentConfiguration {
    @MainActor public static func subtitleCell() -> UIListContentConfiguration { unusable() }
    @MainActor public static func plainHeader() -> UIListContentConfiguration { unusable() }
    public var text: String? {
        get { unusable() }
        set {}
    }
    public var secondaryText: String? {
        get { unusable() }
        set {}
    }
}

public struct UIContentUnavailableConfiguration: UIContentConfiguration {
    @MainActor public static func loading() -> UIContentUnavailableConfiguration { unusable() }
}

public struct UICellAccessory {
    public enum DisplayedState {
        case always, whenEditing, whenNotEditing
    }
    public enum Placement {
        case leading(displayed: DisplayedState = .always)
        case trailing(displayed: DisplayedState = .always)
    }
    @MainActor public struct CustomViewConfiguration {
        public init(customView: UIView, placement: Placement) { unusable() }
    }
    @MainActor public static func customView(configuration: CustomViewConfiguration) -> UICellAccessory { unusable() }
}

@MainActor open class UIImage: NSObject {
    public convenience init?(systemName name: String) { unusable() }
}

public typealias UIActionHandler = (UIAction) -> Void

@MainActor open class UIAction: NSObject {
    public convenience init(
        title: String = "", image: UIImage? = nil, handler: @escaping UIActionHandler
    ) { unusable() }
}

@MainActor open class UIButton: UIView {
    public convenience init(primaryAction: UIAction?) { unusable() }
}

@MainActor open class UINavigationItem: NSObject {
    open var title: String?
    open var prompt: String?
}

@MainActor open class UIViewController: UIResponder {
    public init(nibName: String?, bundle: Bundle?) { unusable() }
    public required init?(coder: NSCoder) { unusable() }
    open var view: UIView! {
        get { unusable() }
        set {}
    }
    open var navigationItem: UINavigationItem { unusable() }
    open var navigationController: UINavigationController? { unusable() }
    open var contentUnavailableConfiguration: (any UIContentConfiguration)? {
        get { unusable() }
        set {}
    }
    open func loadView() {}
    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
}

@MainActor open class UINavigationController: UIViewController {
    public init(rootViewController: UIViewController) { unusable() }
    public required init?(coder: NSCoder) { unusable() }
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {}
}

// MARK: - The app

@MainActor open class UIApplication: NSObject {
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name { unusable() }
    public nonisolated class var willEnterForegroundNotification: NSNotification.Name { unusable() }
    open class var shared: UIApplication { unusable() }
    open var delegate: (any UIApplicationDelegate)? {
        get { unusable() }
        set {}
    }
}

@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {}

extension UIApplicationDelegate {
    public static func main() { unusable() }
}

@MainActor open class UIScene: UIResponder {
    @MainActor open class ConnectionOptions: NSObject {}
}

@MainActor open class UIWindowScene: UIScene {}

@MainActor open class UISceneSession: NSObject {}

@MainActor public protocol UISceneDelegate: NSObjectProtocol {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
}

@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

extension ProcessInfo {
    /// Of Foundation, where there is something that suspends apps.
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}

extension IndexPath {
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
    public var section: Int { unusable() }
    public var item: Int { unusable() }
}

private func unusable() -> Never { fatalError("only signatures, for type checking") }
