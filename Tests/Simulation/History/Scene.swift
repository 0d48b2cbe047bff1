import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeWire

/// The connections, the apps' screens and the disks' contents: the accumulated events, without judging them.
struct Scene {
    struct DeviceScene {
        let user: String?
        /// The users that the tokens it was admitted by named, with their plans, each once and the newest last.
        private(set) var readers: [Reader]
        /// The states that the app was last shown, by view.
        var shown: [ViewID: ScreenState] = [:]
        /// The live views in the last cut stored by this process.
        var live: Set<ViewID> = []
        /// The newest position stored by any process.
        var stored: Cut?
        /// A stored cut the app may not have been notified of yet.
        var unfinished: MirrorTransaction?
        var isRunning = false
        /// Views with a section that the server reported it could not update.
        var incomplete: Set<ViewID> = [] {
            didSet { gaps.formUnion(incomplete) }
        }
        /// Views that were ever incomplete: a section that never arrived stays empty in the mirror, including for later
        /// processes and copies.
        var gaps: Set<ViewID> = []
        /// Whether bits in its mirror have flipped.
        var isRotten = false
        /// The parts of the stored collections found to be damaged, and so not shown until repaired: the sections, and
        /// the empty name for the list of them.
        var damagedCollections: Set<String> = []
        /// The epoch and minimum revision of the stored favorites.
        var favorites: (epoch: UInt64, revision: UInt64)?
        /// The favorites shown, if the disk has no room for them.
        var favoritesInMemory: (epoch: UInt64, revision: UInt64)?
        /// The users' log of the server that greeted it last.
        var greetedBy: UInt64?
        /// Whether this process shows content held only in its memory, which is lost with it.
        var isAhead = false

        init(user: String?) {
            self.user = user
            readers = [Reader(user: user)]
        }

        /// It is admitted by a token.
        mutating func admit(_ reader: Reader) {
            readers.removeAll { $0 == reader }
            readers.append(reader)
        }

        /// Starts with what another device was sent.
        mutating func copyReaders(of other: DeviceScene) { readers = other.readers }
    }

    struct ConnectionScene {
        let device: Int
        let node: Int
        var isLive = false
        /// By subscription.
        var views: [UInt32: ViewID] = [:]
        /// Subscriptions that have joined.
        var joined: Set<UInt32> = []
        /// Whether bytes were changed on it.
        var isDamaged = false
        /// The tokens that the client was admitted by, the newest last; none if servers believe everybody.
        var tokens: [String] = []
    }

    private(set) var devices: [DeviceScene]
    private(set) var connections: [Int: ConnectionScene] = [:]
    private(set) var operations: Operations

    init(users: [String?]) {
        devices = users.map { DeviceScene(user: $0) }
        operations = Operations(devices: users.count)
    }

    /// Adds a device that starts with a copy of another one's disk.
    mutating func copy(_ device: Int) {
        var copy = DeviceScene(user: devices[device].user)
        copy.stored = devices[device].stored
        copy.favorites = devices[device].favorites
        copy.gaps = devices[device].gaps
        copy.copyReaders(of: devices[device])
        copy.isRotten = devices[device].isRotten
        devices.append(copy)
        operations.copyDevice(device)
    }

    func device(of connection: Int) -> Int? { connections[connection]?.device }

    /// A connection's device is admitted by a token.
    mutating func admit(_ reader: Reader, on connection: Int) {
        if let device = device(of: connection), devices.indices.contains(device) { devices[device].admit(reader) }
    }

    mutating func finishMove(of device: Int) { devices[device].unfinished = nil }

    private mutating func hear(_ message: Message, _ number: Int) {
        guard let connection = connections[number] else { return }
        switch message {
        case .welcome(let welcome):
            connections[number]?.isLive = true
            devices[connection.device].greetedBy = welcome.cut.userEpoch
            devices[connection.device].incomplete = []
        case .subscriptionError(let error):
            guard let id = connection.views[error.subscription] else { return }
            guard error.section != nil else {
                // If only a change of parameters failed, the view continues.
                if !connection.joined.contains(error.subscription) || error.generation == 0 {
                    connections[number]?.views[error.subscription] = nil
                }
                return
            }
            devices[connection.device].incomplete.insert(id)
        case .join(let join):
            guard let id = connection.views[join.subscription] else { return }
            connections[number]?.joined.insert(join.subscription)
            if join.sections.contains(where: { $0.sum == nil }) {
                devices[connection.device].incomplete.insert(id)
            } else {
                devices[connection.device].incomplete.remove(id)
            }
        default: break
        }
    }

    /// Whether a device's collections have arrived over its newest connection.
    func hasCollections(_ device: Int) -> Bool {
        let newest = connections.filter { $1.device == device }.max { $0.key < $1.key }?.value
        return newest?.views.contains {
            $1.screen == ScreenID.collectionSet.name && newest?.joined.contains($0) == true
        } ?? false
    }

    /// - Parameter userEpoch: of the log that is written now.
    mutating func apply(_ event: Event, userEpoch: UInt64) {
        operations.apply(event, userEpoch: userEpoch)
        switch event {
        case .connected(let number, let device, let node):
            connections[number] = ConnectionScene(device: device, node: node)
        case .ended(let number): connections[number] = nil
        case .admitted(let number, let token):
            if connections[number]?.tokens.last != token { connections[number]?.tokens.append(token) }
        case .damaged(let number): connections[number]?.isDamaged = true
        case .rotted(let device): devices[device].isRotten = true
        case .toServer(let number, .subscribe(let subscribe)):
            connections[number]?.views[subscribe.subscription] = ViewID(
                screen: subscribe.screen, locale: subscribe.locale ?? "")
        case .toServer(let number, .unsubscribe(let subscription)):
            connections[number]?.views[subscription] = nil
        case .toClient(let number, let message, _, _): hear(message, number)
        case .opened(let device, _, _):
            devices[device].isRunning = true
            devices[device].isAhead = false
            devices[device].favoritesInMemory = nil
            // Damage is found again. A bit that has flipped twice is as it was.
            devices[device].damagedCollections = []
            devices[device].shown = [:]
            devices[device].live = []
        case .crashed(let device):
            devices[device].isRunning = false
            devices[device].live = []
            devices[device].unfinished = nil
        case .notified(let device, .mirrorDamaged(let reports)):
            let collections = reports.filter { $0.screen.name == ScreenID.collectionSet.name }
            devices[device].damagedCollections.formUnion(collections.map(\.section))
        case .mended(let device, let view, let sections) where view.screen == ScreenID.collectionSet.name:
            devices[device].damagedCollections.subtract(sections)
        case .stored(let device, let transaction):
            if transaction.views.contains(where: { $0.id.screen == ScreenID.collectionSet.name }) {
                devices[device].damagedCollections = []
            }
            if let before = devices[device].stored {
                devices[device].stored = before.advanced(by: CutChange(transaction.cut))
            } else {
                devices[device].stored = transaction.cut
            }
            // Favorites that the server could not send along are unchanged.
            if transaction.currentViews.contains(where: { $0.screen == ScreenID.collectionSet.name }),
                !devices[device].incomplete.contains(where: { $0.screen == ScreenID.collectionSet.name })
            {
                let (epoch, revision) = (transaction.cut.userEpoch, transaction.cut.userRevision)
                let known = devices[device].favorites.flatMap { $0.epoch == epoch ? $0.revision : nil } ?? 0
                devices[device].favorites = (epoch, max(known, revision))
                devices[device].favoritesInMemory = nil
            }
            // A transaction that only removes mutations moves no view.
            guard !transaction.currentViews.isEmpty || !transaction.views.isEmpty else { return }
            devices[device].live = Set(transaction.currentViews)
            devices[device].unfinished = transaction
        case .kept(let device, let transaction):
            devices[device].isAhead = true
            if transaction.currentViews.contains(where: { $0.screen == ScreenID.collectionSet.name }),
                !devices[device].incomplete.contains(where: { $0.screen == ScreenID.collectionSet.name })
            {
                devices[device].favoritesInMemory = (transaction.cut.userEpoch, transaction.cut.userRevision)
            }
            devices[device].live = Set(transaction.currentViews)
            devices[device].unfinished = transaction
        case .left(let device, let id):
            devices[device].shown[id] = nil
            devices[device].live.remove(id)
            devices[device].incomplete.remove(id)
        case .refused(let device, let id, _):
            devices[device].shown[id] = nil
            devices[device].live.remove(id)
        case .shown(let device, let state): devices[device].shown[state.id] = state
        default: break
        }
    }
}
