import MarqueeClient
import MarqueeLayout

extension Browser {
    /// The items in view that the server asks about, with the visible share of each; none while something else covers
    /// the page.
    var itemsInView: [ItemsInView.Key: ItemsInView.Shown] {
        guard search == nil, !showsHelp, let page = pages.last, let screen = page.screen else { return [:] }
        let layout = layout(of: page)
        let view = LayoutRect(
            x: 0, y: Double(page.top) * layout.scale.pointsPerRow, width: layout.scale.container.width,
            height: layout.scale.container.height)
        let offsets = Dictionary(
            uniqueKeysWithValues: page.sections.indices.compactMap { index in
                page.offsets[page.sections[index].id].map { (index, $0) }
            })
        var shown: [ItemsInView.Key: ItemsInView.Shown] = [:]
        for position in layout.screen.items(in: view, offsets: offsets) {
            let section = page.sections[position.section]
            guard let impressions = section.head.counting?.impressions, section.items.indices.contains(position.item),
                let frame = layout.screen.frame(
                    ofItem: position.item, inSection: position.section, offset: offsets[position.section])
            else { continue }
            let key = ItemsInView.Key(section: section.id, item: section.items[position.item].id)
            shown[key] = ItemsInView.Shown(
                share: view.share(of: frame), place: UInt32(clamping: position.item + 1),
                revision: screen.revision.catalogueRevision, impressions: impressions)
        }
        return shown
    }
}

extension LayoutRect {
    /// The share of another rectangle that lies in this one, from 0 to 1.
    fileprivate func share(of other: LayoutRect) -> Double {
        let width = min(maxX, other.maxX) - max(x, other.x)
        let height = min(maxY, other.maxY) - max(y, other.y)
        guard width > 0, height > 0, other.width > 0, other.height > 0 else { return 0 }
        return width * height / (other.width * other.height)
    }
}
