package import MarqueeModel

/// A layout as protobuf's JSON mapping writes `Layout` of marquee.proto: names in lower camel case, defaults left out.
package struct LayoutDocument: Codable, Hashable, Sendable {
    package struct Dimension: Codable, Hashable, Sendable {
        package var unit: Int?
        package var value: Double?
    }

    package struct Insets: Codable, Hashable, Sendable {
        package var top: Double?
        package var leading: Double?
        package var bottom: Double?
        package var trailing: Double?
    }

    package struct Spacing: Codable, Hashable, Sendable {
        package var points: Double?
        package var flexible: Bool?
    }

    package struct EdgeSpacing: Codable, Hashable, Sendable {
        package var top: Spacing?
        package var leading: Spacing?
        package var bottom: Spacing?
        package var trailing: Spacing?
    }

    package struct Anchor: Codable, Hashable, Sendable {
        package var edges: UInt32?
        package var x: Double?
        package var y: Double?
        package var fractional: Bool?
    }

    package struct Supplementary: Codable, Hashable, Sendable {
        package var kind: String?
        package var width: Dimension?
        package var height: Dimension?
        package var anchor: Anchor?
        package var insets: Insets?
        package var pinned: Bool?
        package var zIndex: Double?
    }

    package struct Node: Codable, Hashable, Sendable {
        package var type: Int?
        package var width: Dimension?
        package var height: Dimension?
        package var insets: Insets?
        package var spacing: Double?
        package var count: Int?
        package var children: [Int]?
        package var badges: [Supplementary]?
        package var flexibleSpacing: Bool?
        package var edgeSpacing: EdgeSpacing?
    }

    package var nodes: [Node]
    package var insets: Insets?
    package var spacing: Double?
    package var scrolling: UInt32?
    package var supplementaries: [Supplementary]?
    package var decoration: String?
    package var decorationInsets: Insets?
    package var decorationZIndex: Double?
    package var insetsReference: UInt32?
}

/// A document that isn't a layout, and why.
package struct LayoutDocumentError: Error, CustomStringConvertible {
    package var description: String
}

// MARK: - From a document

extension SectionLayout {
    /// The layout of a document.
    /// - Throws: `LayoutDocumentError` if the document's nodes aren't a tree or something required is missing.
    package init(_ document: LayoutDocument) throws {
        guard let scrolling = LayoutScrolling(rawValue: document.scrolling ?? 0) else {
            throw LayoutDocumentError(description: "there is no scrolling \(document.scrolling ?? 0)")
        }
        guard let reference = LayoutInsetsReference(rawValue: document.insetsReference ?? 0) else {
            throw LayoutDocumentError(description: "there is no insetsReference \(document.insetsReference ?? 0)")
        }
        self.init(
            group: try document.tree(), insets: LayoutInsets(document.insets), insetsReference: reference,
            spacing: document.spacing ?? 0, scrolling: scrolling,
            supplementaries: try (document.supplementaries ?? []).map(LayoutSupplementary.init),
            decoration: document.decoration.map {
                LayoutDecoration(
                    kind: $0, insets: LayoutInsets(document.decorationInsets),
                    zIndex: document.decorationZIndex.map { Int($0) })
            })
    }
}

extension LayoutDocument {
    /// The tree of its nodes, each of which comes after its parent.
    fileprivate func tree() throws -> LayoutNode {
        var built: [LayoutNode?] = Array(repeating: nil, count: nodes.count)
        for (index, node) in nodes.enumerated().reversed() {
            let children = try (node.children ?? []).map { child in
                guard child > index, child < nodes.count, let node = built[child] else {
                    throw LayoutDocumentError(description: "node \(index) can't have the child \(child)")
                }
                built[child] = nil
                return node
            }
            built[index] = try node.node(of: children)
        }
        guard let root = built.first ?? nil, built.dropFirst().allSatisfy({ $0 == nil }) else {
            throw LayoutDocumentError(description: "the nodes aren't one tree")
        }
        return root
    }
}

extension LayoutDocument.Node {
    fileprivate func node(of children: [LayoutNode]) throws -> LayoutNode {
        let (width, height) = (try LayoutDimension(width), try LayoutDimension(height))
        let (insets, edges) = (LayoutInsets(insets), LayoutEdgeSpacing(edgeSpacing))
        switch type {
        case 1:
            return .item(
                width: width, height: height, insets: insets, edgeSpacing: edges,
                badges: try (badges ?? []).map(LayoutSupplementary.init))
        case 2, 3:
            let points = spacing ?? 0
            return .group(
                axis: type == 2 ? .horizontal : .vertical, width: width, height: height, insets: insets,
                edgeSpacing: edges, spacing: flexibleSpacing == true ? .flexible(points) : .fixed(points), count: count,
                children: children)
        default:
            throw LayoutDocumentError(description: "there is no type of node \(type.map { "\($0)" } ?? "absent")")
        }
    }
}

extension LayoutDimension {
    fileprivate init(_ dimension: LayoutDocument.Dimension?) throws {
        guard let value = dimension?.value else {
            throw LayoutDocumentError(description: "a width or height has no value")
        }
        switch dimension?.unit {
        case 1: self = .fractionalWidth(value)
        case 2: self = .fractionalHeight(value)
        case 3: self = .absolute(value)
        case 4: self = .estimated(value)
        default: throw LayoutDocumentError(description: "a width or height has no known unit")
        }
    }
}

extension LayoutInsets {
    /// Those of a document; none if it has none.
    package init(_ insets: LayoutDocument.Insets?) {
        self.init(
            top: insets?.top ?? 0, leading: insets?.leading ?? 0, bottom: insets?.bottom ?? 0,
            trailing: insets?.trailing ?? 0)
    }
}

extension LayoutSpacing {
    fileprivate init(_ spacing: LayoutDocument.Spacing?) {
        let points = spacing?.points ?? 0
        self = spacing?.flexible == true ? .flexible(points) : .fixed(points)
    }
}

extension LayoutEdgeSpacing {
    fileprivate init(_ spacing: LayoutDocument.EdgeSpacing?) {
        self.init(
            top: LayoutSpacing(spacing?.top), leading: LayoutSpacing(spacing?.leading),
            bottom: LayoutSpacing(spacing?.bottom), trailing: LayoutSpacing(spacing?.trailing))
    }
}

extension LayoutSupplementary {
    fileprivate init(_ supplementary: LayoutDocument.Supplementary) throws {
        let anchor = supplementary.anchor
        self.init(
            kind: supplementary.kind ?? "", width: try LayoutDimension(supplementary.width),
            height: try LayoutDimension(supplementary.height), edges: LayoutEdges(rawValue: anchor?.edges ?? 0),
            offsetX: anchor?.x ?? 0, offsetY: anchor?.y ?? 0, offsetIsFractional: anchor?.fractional ?? false,
            insets: LayoutInsets(supplementary.insets), isPinned: supplementary.pinned ?? false,
            zIndex: supplementary.zIndex.map { Int($0) })
    }
}
