import MarqueeServer

// Content in a dialect is kept on the sessions' side: the hub knows nothing of it.

extension Node {
    func translated(_ publication: Publication) -> Publication {
        guard let dialect = settings.dialect else { return publication }
        var publication = publication
        for content in publication.changes.keys.sorted() {
            guard let current = publication.changes[content] else { continue }
            publication.changes[content] = translated(current, dialect)
        }
        return publication
    }

    func translated(_ view: OpenedView) -> OpenedView {
        guard let dialect = settings.dialect else { return view }
        var view = view
        for index in view.sections.indices {
            let member = view.sections[index]
            view.sections[index].current = translated(member.current, dialect)
        }
        // A view's own list only names sections and stays unchanged. A relay may have asked for a section.
        view.list.current = translated(view.list.current, dialect)
        return view
    }

    private func translated(_ current: CurrentVersion, _ dialect: Dialect) -> CurrentVersion {
        let version = dialect.translated(current.version)
        library.record(version, of: current.content)
        return CurrentVersion(version: version, since: current.since, content: current.content)
    }
}
