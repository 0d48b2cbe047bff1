// The signatures of UIKit that MarqueeUIKit uses, as Apple documents them for iOS 18, so that it can be type-checked on
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
}

@MainActor open class NSCollectionLayoutBoundarySupplementaryItem: NSCollectionLayoutSupplementaryItem {
    public convenience init(layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: NSRectAlignment) {
        unusable()
    }
    public convenience init(
        layoutSize: NSCollectionLayoutSize, elementKind: String, alignment: NSRectAlignment, absoluteOffset: CGPoint
    ) { unusable() }
}

@MainActor open class NSCollectionLayoutDecorationItem: NSCollectionLayoutItem {
    open class func background(elementKind: String) -> Self { unusable() }
}

@MainActor open class NSCollectionLayoutSection: NSObject {
    public convenience init(group: NSCollectionLayoutGroup) { unusable() }
    open var contentInsets: NSDirectionalEdgeInsets {
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

@MainActor open class UIView: NSObject {
    open class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {}
    open var window: UIWindow? { nil }
}

@MainActor open class UIWindow: UIView {}

@MainActor open class UICollectionViewLayout: NSObject {
    open func invalidateLayout() {}
}

@MainActor open class UICollectionView: UIView {
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

extension IndexPath {
    public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
}

private func unusable() -> Never { fatalError("only signatures, for type checking") }
