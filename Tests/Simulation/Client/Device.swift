import MarqueeClient
import MarqueeMirror
import MarqueeModel
import MarqueeWire
import NIOCore

/// A user's device: a disk, an app that shows screens and sets favorites, and, some of the time, a process running the
/// client that ships.
///
/// Unchecked because a schedule runs on a single thread.
final class Device: @unchecked Sendable {
    /// A screen the app shows, including after a restart.
    struct Shown {
        let id: ViewID
        /// The requested options, one per section.
        var options: [SectionOptions]
        var observer: Observer
        /// Whether a choice was refused: the previous one still applies, even if it is still on its way.
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
    /// Screens that the server refused; the app stopped showing them.
    private var refused: [ViewID] = []
    /// The options for screens not currently shown.
    private var options: [ViewID: [SectionOptions]] = [:]
    private(set) var connection: Connection?
    private var reader: ConnectionReader?

    // Faults
    var diskIsFull = false
    /// The number of writes until the process dies in one.
    var crash: (writes: Int, when: DeviceMirror.Crash)?
    /// Whether the process has died in a write; anything its code still does has no effect.
    private(set) var isDead = false
    /// Whether the client has given up until the app asks for something.
    private(set) var hasFailed = false
    private var drawnClientIDs = 0
    /// The step until which the process sleeps: its timers don't run and nothing is read.
    var sleepsUntil = 0
    /// Whether the system has suspended the app: no connection, no timer, and nothing of the mirror is open.
    private(set) var isSuspended = false
    private var isStarting = false
    private var depth = 0
    /// The number of events recorded when this device last finished.
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

    /// Starts the app, which shows what it showed before.
    /// - Throws: if the mirror can't be opened.
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
        var configuration = ClientConfiguration(user: user, mirror: .memory)
        configuration.agent = name
        let hub = EventHub { [weak self] event in self?.notified(event) }
        let environment = DeviceEnvironment(device: self)
        do throws(MirrorError) {
            engine = try ClientEngine(
                configuration: configuration, loop: loop, hub: hub, mirror: mirror, environment: environment,
                limits: limits,
                tokens: world.usesTokens
                    ? TokenSource(ready: { [unowned self] in world.token(for: self) }) : nil)
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

    /// Shuts the app down cleanly.
    func stop() {
        engine?.stop()
        drop()
    }

    /// Kills the process.
    func kill() {
        isDead = true
        finishCrash()
    }

    /// The app goes to the background, and is suspended.
    func suspend() {
        isSuspended = true
        perform { $0.suspend() }
    }

    /// The app comes back. A client that can't open its mirror tries again by itself.
    func resume() {
        isSuspended = false
        perform { $0.enteredForeground() }
    }

    /// Whether the process dies now. Counts its writes.
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

    /// Ends the schedule: running and pending work hold references to each other and to files.
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
        isSuspended = false
    }

    /// Runs some of the client's code, until it returns or dies.
    func perform(_ body: (ClientEngine) -> Void) {
        guard let engine else { return }
        depth += 1
        body(engine)
        depth -= 1
        for index in shown.indices where shown[index].isRefused {
            shown[index].options = engine.options(of: shown[index].id)
        }
        // Nested work ends with the outer work.
        guard depth == 0 else { return }
        if isDead { return finishCrash() }
        // If nothing was recorded, nothing can have changed the list.
        let isNews = judge.recorded != recorded
        let lists = isNews && user != nil ? Self.lists(of: engine) : nil
        judge.record(.settled(device: number, lists: lists))
        recorded = judge.recorded
    }

    /// Runs what is due.
    func advance(to now: UInt64) {
        guard isRunning else { return }
        perform { _ in loop.advance(to: now) }
    }

    // MARK: - The app

    /// Copies the choices of another device's app.
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

    /// - Returns: whether the client accepted it.
    @discardableResult
    func set(_ subject: String, in collection: CollectionName, _ on: Bool, _ value: CollectionValue?) -> Bool {
        var isTaken = false
        perform { engine in
            do throws(ClientError) {
                try engine.setMember(Subject(subject), of: collection, on, value: value)
                isTaken = true
            } catch {
                isTaken = false
            }
        }
        return isTaken
    }

    @discardableResult
    func setFavorite(_ subject: String, _ on: Bool) -> Bool { set(subject, in: .favorites, on, nil) }

    /// Returns the members that the app would list now, by collection.
    private static func lists(of engine: ClientEngine) -> [CollectionName: [String]] {
        Dictionary(
            uniqueKeysWithValues: Collections.all.map { name in
                (name, engine.members(of: name).map { Collections.text($0.subject.name, $0.value) })
            })
    }

    /// The app asks again for what the client gave up on.
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

    /// The server permanently refused the screen.
    fileprivate func finished(_ id: ViewID, _ observer: Observer, _ error: ClientError?) {
        guard !isDead, let error else { return }
        if error.status?.reason == "UNKNOWN_SCREEN", !world.allows(self, id.screen) { judge.count(.viewForbidden) }
        judge.record(.refused(device: number, id, error))
        guard let index = shown.firstIndex(where: { $0.id == id && $0.observer === observer }) else { return }
        // Whatever was refused along with the connection is requested again by `refresh`.
        guard !hasFailed else { return }
        options[id] = shown[index].options
        shown.remove(at: index)
        if !refused.contains(id) { refused.append(id) }
    }

    /// The app shows again what the server refused.
    func showRefused() {
        let ids = refused
        refused = []
        for id in ids { show(id) }
    }

    private func notified(_ event: ClientEvent) {
        guard !isDead else { return }
        switch event {
        case .state(.failed): hasFailed = true
        case .optionsRefused(let screen, _):
            // The user's choice isn't what is shown, so the previous choice applies again.
            if let index = shown.firstIndex(where: { $0.id.screen == screen.name }) { shown[index].isRefused = true }
        default: break
        }
        judge.record(.notified(device: number, event))
    }

    // MARK: - The connection

    /// A connection attempt succeeded.
    func opened(_ connection: Connection, _ reader: ConnectionReader) {
        guard isRunning else { return connection.finish() }
        self.connection = connection
        self.reader = reader
        perform { [self] _ in reader.opened(DeviceLink(connection: connection, device: self)) }
    }

    /// Takes bytes off the wire; all of them by default.
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

    /// Records incoming frames, as an observer on the wire would.
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

/// The services that a device needs from the surrounding simulation.
protocol DeviceWorld: AnyObject {
    /// Milliseconds.
    var now: UInt64 { get }
    func fraction() -> Double
    /// Whether servers admit clients by tokens.
    var usesTokens: Bool { get }
    /// A new token.
    func token(for device: Device) -> String
    /// Whether the token that a device was last admitted by allows seeing a screen.
    func allows(_ device: Device, _ screen: String) -> Bool
    /// A number that rises with each call.
    func wallTime() -> Double
    /// The bytes a killed process leaves at the end of a log.
    func tornBytes() -> [UInt8]
    /// The outcome of an attempt to connect: a connection after a number of milliseconds, or none.
    func attempt(_ device: Device) -> (pause: UInt64, connect: () -> Connection?)
    /// Returns the frame that arrives at the server when a device sends one.
    func carried(_ frame: ByteBuffer, on connection: Connection) -> ByteBuffer
}

/// A screen the app shows.
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

/// Virtual time, seeded randomness, simulated connections.
private final class DeviceEnvironment: ClientEnvironment {
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
