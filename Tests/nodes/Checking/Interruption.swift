/// How long observers showed nothing new while something was being published.
struct Interruption: Sendable {
    let median: Double
    let worst: Double

    /// - Parameters:
    ///   - observers: their names.
    ///   - span: the time in which publications never paused, in seconds.
    init(_ history: History, observers: Set<String>, during span: ClosedRange<Double>) {
        var last: [String: (at: Double, position: Position)] = [:]
        var longest: [String: Double] = [:]
        for event in history.events where event.at <= span.upperBound {
            guard case .shown(let observer, _, .home, let position, _) = event.what, observers.contains(observer),
                last[observer]?.position != position
            else { continue }
            if event.at >= span.lowerBound {
                let since = max(last[observer]?.at ?? span.lowerBound, span.lowerBound)
                longest[observer] = max(longest[observer] ?? 0, event.at - since)
            }
            last[observer] = (event.at, position)
        }
        let all = observers.map { observer in
            max(longest[observer] ?? 0, span.upperBound - max(last[observer]?.at ?? 0, span.lowerBound))
        }.sorted()
        median = all.isEmpty ? 0 : all[all.count / 2]
        worst = all.last ?? 0
    }
}
