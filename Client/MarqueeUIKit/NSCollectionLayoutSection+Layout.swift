#if canImport(UIKit) && !os(watchOS)
    import Foundation
    public import MarqueeClient
    internal import MarqueeLayout
    public import UIKit

    extension NSCollectionLayoutSection {
        /// Creates the same layout from UIKit's types.
        ///
        /// Two things have no counterpart in UIKit. A header, footer or side view can't be offset by fractions of its
        /// own size: such an offset is applied if the size is absolute or estimated, and omitted otherwise. And for a
        /// background decoration you have to register the view's class with the layout, with
        /// `layout.decoration.kind` as its kind.
        public convenience init(_ layout: SectionLayout) {
            self.init(group: NSCollectionLayoutGroup.outermost(layout.group))
            contentInsets = NSDirectionalEdgeInsets(layout.insets)
            contentInsetsReference = UIContentInsetsReference(layout.insetsReference)
            interGroupSpacing = CGFloat(layout.spacing)
            orthogonalScrollingBehavior = UICollectionLayoutSectionOrthogonalScrollingBehavior(layout.scrolling)
            boundarySupplementaryItems = layout.supplementaries.map { NSCollectionLayoutBoundarySupplementaryItem($0) }
            if let decoration = layout.decoration {
                let item = NSCollectionLayoutDecorationItem.background(elementKind: decoration.kind)
                item.contentInsets = NSDirectionalEdgeInsets(decoration.insets)
                if let zIndex = decoration.zIndex { item.zIndex = zIndex }
                decorationItems = [item]
            }
        }
    }

    extension NSCollectionLayoutGroup {
        /// A section's outermost group; a lone item becomes the only item of a group with its size.
        fileprivate static func outermost(_ node: LayoutNode) -> NSCollectionLayoutGroup {
            switch node {
            case .item(var item):
                let (width, height) = (item.width, item.height)
                (item.width, item.height) = (.fractionalWidth(1), .fractionalHeight(1))
                return outermost(.group(axis: .horizontal, width: width, height: height, children: [.item(item)]))
            case .group(let shape):
                let size = NSCollectionLayoutSize(shape.width, shape.height)
                let group: NSCollectionLayoutGroup
                switch node.elements {
                case .copies(let element, let count)?:
                    let item = NSCollectionLayoutItem.making(element)
                    group =
                        shape.axis == .horizontal
                        ? .horizontal(layoutSize: size, repeatingSubitem: item, count: count)
                        : .vertical(layoutSize: size, repeatingSubitem: item, count: count)
                case .list(let elements, let spacing)?:
                    let items = elements.map { NSCollectionLayoutItem.making($0) }
                    group =
                        shape.axis == .horizontal
                        ? .horizontal(layoutSize: size, subitems: items)
                        : .vertical(layoutSize: size, subitems: items)
                    if spacing != .zero { group.interItemSpacing = NSCollectionLayoutSpacing.making(spacing) }
                case nil: preconditionFailure("a group has elements")
                }
                group.contentInsets = NSDirectionalEdgeInsets(shape.insets)
                return group
            }
        }
    }

    extension NSCollectionLayoutItem {
        fileprivate static func making(_ node: LayoutNode) -> NSCollectionLayoutItem {
            let item: NSCollectionLayoutItem
            let spacing: LayoutEdgeSpacing
            switch node {
            case .item(let place):
                item = NSCollectionLayoutItem(
                    layoutSize: NSCollectionLayoutSize(place.width, place.height),
                    supplementaryItems: place.badges.map { NSCollectionLayoutSupplementaryItem(badge: $0) })
                item.contentInsets = NSDirectionalEdgeInsets(place.insets)
                spacing = place.edgeSpacing
            case .group(let group):
                item = NSCollectionLayoutGroup.outermost(node)
                spacing = group.edgeSpacing
            }
            if spacing != .zero { item.edgeSpacing = NSCollectionLayoutEdgeSpacing(spacing) }
            return item
        }
    }

    extension NSCollectionLayoutSpacing {
        fileprivate static func making(_ spacing: LayoutSpacing) -> NSCollectionLayoutSpacing {
            switch spacing {
            case .fixed(let points): .fixed(CGFloat(points))
            case .flexible(let points): .flexible(CGFloat(points))
            }
        }
    }

    extension NSCollectionLayoutEdgeSpacing {
        fileprivate convenience init(_ spacing: LayoutEdgeSpacing) {
            self.init(
                leading: NSCollectionLayoutSpacing.making(spacing.leading),
                top: NSCollectionLayoutSpacing.making(spacing.top),
                trailing: NSCollectionLayoutSpacing.making(spacing.trailing),
                bottom: NSCollectionLayoutSpacing.making(spacing.bottom))
        }
    }

    extension NSCollectionLayoutSupplementaryItem {
        fileprivate convenience init(badge: LayoutSupplementary) {
            let offset = CGPoint(x: badge.offsetX, y: badge.offsetY)
            let edges = NSDirectionalRectEdge(badge.edges)
            self.init(
                layoutSize: NSCollectionLayoutSize(badge.width, badge.height), elementKind: badge.kind,
                containerAnchor: badge.offsetIsFractional
                    ? NSCollectionLayoutAnchor(edges: edges, fractionalOffset: offset)
                    : NSCollectionLayoutAnchor(edges: edges, absoluteOffset: offset))
            contentInsets = NSDirectionalEdgeInsets(badge.insets)
            if let zIndex = badge.zIndex { self.zIndex = zIndex }
        }
    }

    extension NSCollectionLayoutBoundarySupplementaryItem {
        fileprivate convenience init(_ supplementary: LayoutSupplementary) {
            self.init(
                layoutSize: NSCollectionLayoutSize(supplementary.width, supplementary.height),
                elementKind: supplementary.kind,
                alignment: NSRectAlignment(supplementary.edges),
                absoluteOffset: CGPoint(
                    x: supplementary.points(supplementary.offsetX, of: supplementary.width),
                    y: supplementary.points(supplementary.offsetY, of: supplementary.height)))
            contentInsets = NSDirectionalEdgeInsets(supplementary.insets)
            pinToVisibleBounds = supplementary.isPinned
            if let zIndex = supplementary.zIndex { self.zIndex = zIndex }
        }
    }

    extension LayoutSupplementary {
        fileprivate func points(_ offset: Double, of dimension: LayoutDimension) -> Double {
            guard offsetIsFractional else { return offset }
            return switch dimension {
            case .absolute(let points), .estimated(let points): offset * points
            case .fractionalWidth, .fractionalHeight: 0
            }
        }
    }

    extension NSCollectionLayoutSize {
        fileprivate convenience init(_ width: LayoutDimension, _ height: LayoutDimension) {
            self.init(
                widthDimension: NSCollectionLayoutDimension.making(width),
                heightDimension: NSCollectionLayoutDimension.making(height))
        }
    }

    extension NSCollectionLayoutDimension {
        fileprivate static func making(_ dimension: LayoutDimension) -> NSCollectionLayoutDimension {
            switch dimension {
            case .fractionalWidth(let fraction): .fractionalWidth(CGFloat(fraction))
            case .fractionalHeight(let fraction): .fractionalHeight(CGFloat(fraction))
            case .absolute(let points): .absolute(CGFloat(points))
            case .estimated(let points): .estimated(CGFloat(points))
            }
        }
    }

    extension NSDirectionalEdgeInsets {
        fileprivate init(_ insets: LayoutInsets) {
            self.init(
                top: CGFloat(insets.top), leading: CGFloat(insets.leading), bottom: CGFloat(insets.bottom),
                trailing: CGFloat(insets.trailing))
        }
    }

    extension NSDirectionalRectEdge {
        fileprivate init(_ edges: LayoutEdges) {
            self = []
            if edges.contains(.top) { insert(.top) }
            if edges.contains(.leading) { insert(.leading) }
            if edges.contains(.bottom) { insert(.bottom) }
            if edges.contains(.trailing) { insert(.trailing) }
        }
    }

    extension NSRectAlignment {
        /// The side or corner named by the edges; opposite edges cancel each other out.
        fileprivate init(_ edges: LayoutEdges) {
            let vertical = (edges.contains(.top) ? -1 : 0) + (edges.contains(.bottom) ? 1 : 0)
            let horizontal = (edges.contains(.leading) ? -1 : 0) + (edges.contains(.trailing) ? 1 : 0)
            self =
                switch (vertical, horizontal) {
                case (-1, -1): .topLeading
                case (-1, 0): .top
                case (-1, 1): .topTrailing
                case (0, -1): .leading
                case (0, 1): .trailing
                case (1, -1): .bottomLeading
                case (1, 0): .bottom
                case (1, 1): .bottomTrailing
                default: .none
                }
        }
    }

    extension UIContentInsetsReference {
        fileprivate init(_ reference: LayoutInsetsReference) {
            self =
                switch reference {
                case .automatic: .automatic
                case .none: .none
                case .safeArea: .safeArea
                case .layoutMargins: .layoutMargins
                case .readableContent: .readableContent
                }
        }
    }

    extension UICollectionLayoutSectionOrthogonalScrollingBehavior {
        fileprivate init(_ scrolling: LayoutScrolling) {
            self =
                switch scrolling {
                case .none: .none
                case .continuous: .continuous
                case .continuousGroupLeadingBoundary: .continuousGroupLeadingBoundary
                case .paging: .paging
                case .groupPaging: .groupPaging
                case .groupPagingCentered: .groupPagingCentered
                }
        }
    }
#endif
