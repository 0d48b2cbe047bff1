internal import MarqueeClient
package import MarqueeModel

extension SectionLayout {
    /// The layout for a section that came without one: a list, with room for a header and footer if it has them.
    package static func fallback(for head: SectionHead) -> SectionLayout {
        func band(_ kind: String, _ edge: LayoutEdges) -> LayoutSupplementary {
            LayoutSupplementary(kind: kind, width: .fractionalWidth(1), height: .absolute(44), edges: edge)
        }
        let height: LayoutDimension =
            switch head.kind {
            case .detail, .text: .estimated(200)
            case .main, .hero, .banner: .absolute(240)
            default: .absolute(80)
            }
        return SectionLayout(
            group: .group(
                axis: .vertical, width: .fractionalWidth(1), height: height, insets: .zero, spacing: 0, count: nil,
                children: [.item(width: .fractionalWidth(1), height: height, insets: .zero, badges: [])]),
            insets: LayoutInsets(top: 0, leading: 15, bottom: 10, trailing: 15), spacing: 8,
            supplementaries: (head.header == nil ? [] : [band("header", .top)])
                + (head.footer == nil ? [] : [band("footer", .bottom)]))
    }
}
