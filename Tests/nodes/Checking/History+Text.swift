/// A history as people read it: a line for each event.
extension History {
    /// - Parameter text: only lines that have it, and what happened to everybody; all by default.
    func lines(about text: String? = nil) -> [String] {
        events.compactMap { event in
            let line = "\(Checker.text(event.at)) s  \(event.what.text)"
            guard let text else { return line }
            return line.contains(text) || event.what.concernsAll ? line : nil
        }
    }
}

extension Event.What {
    fileprivate var concernsAll: Bool {
        switch self {
        case .fault, .mayLose, .ended: true
        default: false
        }
    }

    fileprivate var text: String {
        switch self {
        case .asked(let writer, let write): "\(writer) asks for \(write.text)"
        case .confirmed(let writer, let write, let revision):
            "\(writer) is told that \(write.text) is done\(revision.map { ", as revision \($0)" } ?? "")"
        case .refused(let writer, let write, let reason): "\(writer) is refused \(write.text): \(reason)"
        case .shown(let observer, let user, let screen, let position, let content):
            "\(observer) of \(user) shows \(screen.rawValue) at \(position.text): "
                + content.sorted { $0.key < $1.key }.map { $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value)" }
                .joined(separator: " ")
        case .live(let observer, let isLive): "\(observer) is \(isLive ? "" : "not ")live"
        case .counted(let observer, let user, let value): "\(observer) shows the counter of \(user) as \(value)"
        case .readBack(let device, let user, let subject, let isSet):
            "\(device) of \(user) reads \(subject) as \(isSet ? "set" : "unset")"
        case .fault(let text): "FAULT \(text)"
        case .mayLose(let mayLose): mayLose ? "FROM HERE, COMMITS MAY BE LOST" : "FROM HERE, NO COMMIT MAY BE LOST"
        case .ended(let process, let status): "ENDED \(process): \(status)"
        }
    }
}

extension Write {
    var text: String {
        switch self {
        case .mark(let movie, let key): "\(key) on \(movie)"
        case .count(let user, let value): "\(value) as the counter of \(user)"
        case .favorite(let user, let subject, let isSet): "\(isSet ? "set" : "unset") \(subject) of \(user)"
        }
    }
}
