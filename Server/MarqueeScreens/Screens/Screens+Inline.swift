import MarqueeModel

/// Items that stand in the programme itself.
extension Screens {
    func fillInline(
        _ draft: inout SectionDraft, _ items: [Programme.InlineItem], of section: Programme.Section
    ) {
        for item in items {
            if case .movie(let id) = item.content { draft.dependencies.keys.insert(.movie(id)) }
        }
        let present = items.filter { item in
            if case .movie(let id) = item.content { return catalogue.movies[id] != nil }
            return true
        }
        for item in draft.shown(of: present) {
            guard let (subject, content) = content(of: item.content, noting: &draft) else { continue }
            draft.items.append(Bodies.item(id: item.id, subject: subject, content))
        }
    }

    private func content(
        of inline: Programme.InlineContent, noting draft: inout SectionDraft
    ) -> (subject: String, content: ItemContent)? {
        let locale = draft.locale
        switch inline {
        case .banner(let title, let caption, let description, let image, let link, let actions):
            var content = BannerContent(title: title.text(in: locale))
            content.caption = caption?.text(in: locale)
            content.description = description?.text(in: locale)
            content.image = image
            content.link = link
            content.actions = actions.map { $0.screenAction(locale: locale) }
            return ("", .banner(content))
        case .text(let text, let highlighted, let action):
            let content = TextContent(
                text: text.text(in: locale), highlighted: highlighted?.text(in: locale),
                action: action?.screenAction(locale: locale))
            return ("", .text(content))
        case .course(let title, let author, let rating, let reviews, let price, let tag, let image):
            var content = CourseContent(title: title.text(in: locale))
            content.author = author
            content.rating = rating
            content.reviews = reviews
            content.price = price
            content.tag = tag?.text(in: locale)
            content.image = image
            return ("", .course(content))
        case .categories(let titles): return ("", .categories(titles.map { $0.text(in: locale) }))
        case .place(let title, let distance, let image):
            let content = PlaceContent(
                title: title.text(in: locale), distance: distance?.text(in: locale), image: image)
            return ("", .place(content))
        case .movie(let id):
            guard let movie = catalogue.movies[id] else { return nil }
            draft.depend(onGenresOf: movie)
            let content = catalogue.content(of: movie, locale: locale, prose: true)
            return (Subject.movie(id).name, .movie(content))
        }
    }
}
