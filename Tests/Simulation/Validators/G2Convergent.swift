import MarqueeDiff
import MarqueeMirror
import MarqueeModel

/// When changes stop, mirror = server's view, byte for byte.
struct G2Convergent: Validator {
    mutating func judgeEnd(_ end: End, _ scene: Scene, _ truth: Truth) throws(Violation) {
        for device in end.devices {
            for (id, options) in device.wanted { try check(id, options, device, scene, truth) }
        }
    }

    private func check(
        _ id: ViewID, _ options: [String: End.Chosen], _ device: End.DeviceEnd, _ scene: Scene, _ truth: Truth
    ) throws(Violation) {
        let logs = truth.current
        let (newest, newestOfUser) = (logs.newest, logs.newest(of: device.user))
        guard let stored = device.stored[id] else { throw violation("\(device.name) has nothing stored of \(id)") }
        guard stored.cut.catalogueRevision == newest, stored.cut.userRevision == newestOfUser,
            stored.cut.catalogueEpoch == logs.catalogueEpoch
        else {
            throw violation("\(device.name) has \(id) at \(stored.cut), the logs are at (\(newest),\(newestOfUser))")
        }
        guard let list = truth.list(id, logs, at: newest, for: device.reader) else {
            throw violation("there is no \(id)")
        }
        try compare(stored.list, list, "the list of \(id)", device)
        guard Set(list.items.map(\.id)) == Set(stored.sections.keys) else {
            throw violation("\(device.name) holds the sections \(stored.sections.keys.sorted()) of \(id)")
        }
        for item in list.items {
            let shown = ExpectedItems.defaults(of: item.id)
            let sort = options[item.id]?.sort ?? shown.sort
            let window = ExpectedItems.step(options[item.id]?.window, of: item.id)
            guard let section = stored.sections[item.id],
                let expected = Windows.sections.contains(item.id)
                    ? truth.window(
                        at: options[item.id]?.place ?? Windows.usual, of: item.id, id, reader: device.reader, logs,
                        at: newest, newestOfUser, sum: section.sum)
                    : truth.section(
                        item.id, of: id, sort: sort, window: window, reader: device.reader, logs, at: newest,
                        newestOfUser)
            else { throw violation("\(device.name): nothing to compare \(item.id) of \(id) with") }
            try compare(section, expected, "\(item.id) of \(id) by '\(sort)', window \(window),", device)
        }
        // The app sees what is stored.
        guard id.screen != ScreenID.collectionSet.name else { return }
        guard let shown = scene.devices[device.number].shown[id], shown.origin == .live,
            truth.matches(shown, device.reader, logs, newest, newestOfUser)
        else { throw violation("\(device.name): the app doesn't see what is stored of \(id)") }
    }

    private func compare(_ found: Version, _ expected: Version, _ what: String, _ device: End.DeviceEnd)
        throws(Violation)
    {
        guard found.head == expected.head, found.items == expected.items else {
            throw violation("\(device.name): \(what) is \(found.items.map(\.id)), not \(expected.items.map(\.id))")
        }
    }

    private func violation(_ message: String) -> Violation { Violation(guarantee: .convergent, message: message) }
}
