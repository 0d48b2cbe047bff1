import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore

/// A device of a user: a disk, an app that shows screens and sets favorites, and now and then a process with the client
/// that ships in it.
///
/// Unchecked, as one schedule runs on one thread.
final class Device: @unchecked Sendable {
    /// A screen that the app shows, also after it was started again.
    struct Shown {
        let id: ViewID
        /// What was asked for, one for each section.
        var options: [SectionOptions]
        var observer: Observer
        /// A choice was refused: what holds on is the one before, be it on its way still.
        var isRefused = false
    }

    let number: Int
    let name: String
    let user: String?
    let disk: Disk
    let limits: WireLimits
    unowned let judge: Judge
    unowned let world: any DeviceWorld
    private(set) var loop: SimulatedLoop
    private(set) var engine: ClientEngine?
    /// Open while a process runs.
    private(set) var mirror: (any MirrorEngine)?
    /// Order of first use.
    private(set) var shown: [Shown] = []
    /// What was chosen for screens that are not shown now.
    private var options: [ViewID: [SectionOptions]] = [:]
    private(set) var connection: Connection?
    private var reader: ConnectionReader?

    // Faults
    var diskIsFull = false
    /// Writes until the process dies in one.
    var crash: (writes: Int, when: DeviceMirror.Crash)?
    /// The process has died in a write; whatever its code still does has no effect.
    private(set) var isDead = false
    /// The client has given up until the app asks for something.
    private(set) var hasFailed = false
    private var drawnClientIDs = 0
    /// The process sleeps until this step: its timers don't run and nothing is read.
    var sleepsUntil = 0
    private var isStarting = false
    private var depth = 0
    /// Events that were recorded when this device was done last.
    private var recorded: UInt64 = 0

    init(
        number: Int, name: String, user: String?, disk: Disk, limits: WireLimits, judge: Judge,
        world: any DeviceWorld
    ) {
        self.number = number
        self.name = name
        self.user = user
        self.disk = disk
        self.limits = limits
        self.judge = judge
        self.world = world
        loop = SimulatedLoop(now: 0)
    }

    // MARK: - The process

    var isRunning: Bool { engine != nil }

    /// The app is started and shows what it showed before.
    /// - Throws: when the mirror can't be opened.
    func start(now: UInt64) throws(MirrorError) {
        isDead = false
        crash = nil
        hasFailed = false
        loop = SimulatedLoop(now: now)
        isStarting = true
        defer { isStarting = false }
        let mirror = DeviceMirror(try disk.open(newClientID: newClientID), device: self)
        self.mirror = mirror
        judge.record(.opened(device: number, seen: mirror.seen, outbox: try mirror.outbox()))
        var configuration = ClientConfiguration(user: user)
        configuration.agent = name
        let hub = EventHub { [weak self] event in self?.told(event) }
        let surroundings = DeviceSurroundings(device: self)
        do throws(MirrorError) {
            engine = try ClientEngine(
                configuration: configuration, loop: loop, hub: hub, mirror: mirror, surroundings: surroundings,
                limits: limits)
        } catch {
            finishCrash()
            throw error
        }
        for index in shown.indices {
            let id = shown[index].id
            shown[index].observer = Observer(id: id, device: self)
            let (observer, options) = (shown[index].observer, shown[index].options)
            perform { $0.observe(id, options: options, observer) }
        }
    }

    func newClientID() -> [UInt8] {
        drawnClientIDs += 1
        return [UInt8](repeating: UInt8(truncatingIfNeeded: number + 1), count: 14)
            + [UInt8(truncatingIfNeeded: drawnClientIDs >> 8), UInt8(truncatingIfNeeded: drawnClientIDs)]
    }

    /// The app is ended in order.
    func stop() {
        engine?.stop()
        drop()
    }

    /// The process is killed.
    func kill() {
        isDead = true
        finishCrash()
    }

    /// Whether the process dies now; counts its writes.
    func dies(_ moment: DeviceMirror.Crash) -> Bool {
        guard let planned = crash, planned.when == moment else { return false }
        if planned.writes > 0 {
            crash?.writes -= 1
            return false
        }
        crash = nil
        isDead = true
        judge.count(.clientCrashedInWrite)
        return true
    }

    /// The schedule is over: what runs and what waits to be run hold each other, and files.
    func end() {
        isDead = true
        drop()
    }

    private func finishCrash() {
        guard isRunning || isStarting else { return }
        judge.record(.crashed(device: number))
        if case .file(let disk) = disk { try? disk.crash(torn: world.tornBytes()) }
        connection?.cut()
        drop()
    }

    private func drop() {
        loop.end()
        engine = nil
        mirror = nil
        reader = nil
        connection = nil
    }

    /// Runs something of the client's code, to its end or to its death.
    func perform(_ body: (ClientEngine) -> Void) {
        guard let engine else { return }
        depth += 1
        body(engine)
        depth -= 1
        for index in shown.indices where shown[index].isRefused {
            shown[index].options = engine.options(of: shown[index].id)
        }
        // What runs within something else ends with it.
        guard depth == 0 else { return }
        if isDead { return finishCrash() }
        // Nothing that could have changed the list has happened where nothing was recorded.
        let isNews = judge.recorded != recorded
        let favorites = isNews && user != nil ? engine.favoriteList().map(\.subject.name) : nil
        judge.record(.settled(device: number, favorites: favorites))
        recorded = judge.recorded
    }

    /// What is due runs.
    func advance(to now: UInt64) {
        guard isRunning else { return }
        perform { _ in loop.advance(to: now) }
    }

    // MARK: - The app

    /// Chooses what the app of another device has chosen.
    func copyChoices(of other: Device) {
        options = other.options
        for entry in other.shown { options[entry.id] = entry.options }
    }

    func isShowing(_ id: ViewID) -> Bool { shown.contains { $0.id == id } }

    func show(_ id: ViewID) {
        guard !isShowing(id) else { return }
        let observer = Observer(id: id, device: self)
        let options = options[id] ?? []
        shown.append(Shown(id: id, options: options, observer: observer))
        judge.record(.asked(device: number, id, nil))
        perform { $0.observe(id, options: options, observer) }
    }

    func hide(_ id: ViewID) {
        guard let index = shown.firstIndex(where: { $0.id == id }) else { return }
        options[id] = shown[index].options
        let observer = shown.remove(at: index).observer
        judge.record(.left(device: number, id))
        perform { $0.unobserve(id, observer) }
    }

    func choose(_ option: SectionOptions, on id: ViewID) {
        guard isRunning, let index = shown.firstIndex(where: { $0.id == id }) else { return }
        shown[index].options.removeAll { $0.section == option.section }
        shown[index].options.append(option)
        shown[index].isRefused = false
        judge.record(.asked(device: number, id, option))
        perform { $0.setOptions([option], on: id) }
    }

    /// - Returns: whether the client took it.
    @discardableResult
    func setFavorite(_ subject: String, _ on: Bool) -> Bool {
        var isTaken = false
        perform { engine in
            do throws(ClientError) {
                try engine.setFavorite(Subject(subject), on)
                isTaken = true
            } catch {
                isTaken = false
            }
        }
        return isTaken
    }

    /// The app asks again for what a client that has given up no longer tries.
    func refresh() {
        guard hasFailed else { return }
        hasFailed = false
        let ids = shown
        for entry in ids { perform { $0.unobserve(entry.id, entry.observer) } }
        for entry in ids {
            let observer = Observer(id: entry.id, device: self)
            if let index = shown.firstIndex(where: { $0.id == entry.id }) { shown[index].observer = observer }
            perform { $0.observe(entry.id, options: entry.options, observer) }
        }
    }

    /// The server refused the screen for good.
    fileprivate func finished(_ id: ViewID, _ observer: Observer, _ error: ClientError?) {
        guard !isDead, let error else { return }
        judge.record(.refused(device: number, id, error))
        guard let index = shown.firstIndex(where: { $0.id == id && $0.observer === observer }) else { return }
        // What was turned away with the connection is asked for again by `refresh`.
        guard !hasFailed else { return }
        options[id] = shown[index].options
        shown.remove(at: index)
    }

    private func told(_ event: ClientEvent) {
        guard !isDead else { return }
        switch event {
        case .state(.failed): hasFailed = true
        case .optionsRefused(let screen, _):
            // What people chose is not what they see: their choice is the one before again.
            if let index = shown.firstIndex(where: { $0.id.screen == screen.name }) { shown[index].isRefused = true }
        default: break
        }
        judge.record(.told(device: number, event))
    }

    // MARK: - The connection

    /// A connection was opened for an attempt to connect.
    func opened(_ connection: Connection, _ reader: ConnectionReader) {
        guard isRunning else { return connection.finish() }
        self.connection = connection
        self.reader = reader
        perform { [self] _ in reader.opened(DeviceLink(connection: connection, device: self)) }
    }

    /// Takes bytes off the wire, all by default.
    func read(_ limit: Int = .max) {
        guard let connection, let reader else { return }
        let bytes = connection.toClient.read(limit)
        if bytes.readableBytes > 0 {
            listen(bytes, connection)
            perform { _ in reader.received(bytes) }
        }
        guard self.connection === connection, connection.toClient.isAtEnd else { return }
        forget(connection)
        connection.finish()
        perform { _ in reader.closed("the connection was closed") }
    }

    /// Notes what comes in, as somebody on the line would.
    private func listen(_ bytes: ByteBuffer, _ connection: Connection) {
        connection.tap.append(bytes)
        while let frame = try? connection.tap.next() {
            guard let message = try? MessageCodec.decode(frame, limits: .client) else { continue }
            judge.record(
                .toClient(
                    connection: connection.number, message, flags: frame.flags, bytes: frame.wireBytes))
        }
    }

    fileprivate func forget(_ connection: Connection) {
        guard self.connection === connection else { return }
        self.connection = nil
        reader = nil
    }
}

/// What a device needs of the simulation around it.
protocol DeviceWorld: AnyObject {
    /// Milliseconds.
    var now: UInt64 { get }
    func fraction() -> Double
    /// A number that rises with each call.
    func wallTime() -> Double
    /// What a killed process leaves at the end of a log.
    func tornBytes() -> [UInt8]
    /// The outcome of an attempt to connect: after so many milliseconds a connection, or none.
    func attempt(_ device: Device) -> (pause: UInt64, connect: () -> Connection?)
    /// What arrives at the server of a frame that a device sends.
    func carried(_ frame: ByteBuffer, on connection: Connection) -> ByteBuffer
}

/// A screen that the app shows.
final class Observer: ScreenObserver, @unchecked Sendable {
    let id: ViewID
    private unowned let device: Device

    init(id: ViewID, device: Device) {
        self.id = id
        self.device = device
    }

    func put(_ new: ScreenState) {
        if !device.isDead { device.judge.record(.shown(device: device.number, new)) }
    }

    func finish(_ error: ClientError?) { device.finished(id, self, error) }
}

/// The device's end of a connection.
private struct DeviceLink: ClientLink {
    let connection: Connection
    unowned let device: Device

    func write(_ frame: ByteBuffer) {
        if !device.isDead { connection.toServer.write(device.world.carried(frame, on: connection)) }
    }

    func close() {
        guard !device.isDead else { return }
        connection.finish()
        device.forget(connection)
    }
}

/// Virtual time, seeded chance, simulated connections.
private final class DeviceSurroundings: Surroundings {
    private struct NoConnection: Error, CustomStringConvertible {
        var description: String { "no node answers" }
    }

    private unowned let device: Device

    init(device: Device) { self.device = device }

    func uptime() -> UInt64 { device.loop.uptime }
    func wallTime() -> Double { device.world.wallTime() }
    func fraction() -> Double { device.world.fraction() }
    func newClientID() -> [UInt8] { device.newClientID() }

    func connect(
        _ reader: ConnectionReader, to configuration: ClientConfiguration, on loop: any EventLoop
    ) -> EventLoopFuture<Void> {
        let (pause, connect) = device.world.attempt(device)
        let promise = loop.makePromise(of: Void.self)
        let (device, reader) = (device, NIOLoopBound(reader, eventLoop: loop))
        let attempt = NIOLoopBound(connect, eventLoop: loop)
        loop.scheduleTask(in: .milliseconds(Int64(pause))) {
            guard let connection = attempt.value() else { return promise.fail(NoConnection()) }
            device.opened(connection, reader.value)
            promise.succeed()
        }.futureResult.whenFailure { promise.fail($0) }
        return promise.futureResult
    }
}
