import MarqueeClient

/// What a mirror holds, in lines.
enum MirrorReportLines {
    /// - Parameter now: seconds since 1970.
    static func lines(of status: MirrorStatus, path: String, now: Double) -> [String] {
        var lines = ["mirror   \(path)"]
        lines.append("cluster  \(status.cluster ?? "none yet")")
        if let user = status.user { lines.append("user     \(user)") }
        if status.views.isEmpty { lines.append("no screens stored") }
        let width = status.views.map { TextWidth.columns(Sanitizer.line(name(of: $0))) }.max() ?? 0
        for view in status.views {
            let facts = [
                "revision \(view.revision.catalogueRevision)", Words.ago(view.asOf, now: now),
                Words.count(view.sections, "section"), Words.count(view.items, "item"), Words.bytes(view.bytes),
            ]
            lines.append(
                "  \(TextWidth.pad(Sanitizer.line(name(of: view)), to: width))  \(facts.joined(separator: ", "))")
        }
        lines.append(
            status.pending.isEmpty
                ? "no favorites wait" : "\(Words.count(status.pending.count, "favorite")) not confirmed")
        for favorite in status.pending {
            let what = favorite.on ? "♡ add" : "♡ remove"
            lines.append(
                "  \(what) \(favorite.subject), \(favorite.state.rawValue), \(Words.ago(favorite.since, now: now))")
        }
        return lines.map(Sanitizer.line)
    }

    private static func name(of view: MirrorStatus.View) -> String { "\(view.screen) (\(view.locale))" }
}
