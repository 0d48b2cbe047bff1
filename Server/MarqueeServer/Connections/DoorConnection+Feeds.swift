package import MarqueeModel
package import MarqueeWire
package import NIOCore

// Screens that are followed through a door: the reader is sent text when they change.

extension DoorConnection {
    /// Begins to follow a screen; end it with `leave`.
    /// - Parameters:
    ///   - seen: the screen that the client already has.
    ///   - making: makes the text; the same function for all readers of a server.
    ///   - then: called once with the reason why the screen can't be followed, or `nil`, unless the connection has
    ///     closed.
    /// - Returns: `nil` if the user has too many connections.
    package func follow(
        _ request: GetScreenRequest, by caller: DoorCaller, from seen: SeenScreen?, to output: any FeedOutput,
        making: @escaping FeedText, then: @escaping (Status?) -> Void
    ) -> FeedReader? {
        guard services.connections.welcome(admitted.connection, user: caller.identity.user) else { return nil }
        // From now on, nothing about the user is missed.
        if let user = caller.identity.user { admitted.registry.publications.joined(user) }
        services.counts.feedReaders.add(1, ordering: .relaxed)
        let reader = FeedReader(output, identity: caller.identity, seen: seen)
        open(request, for: reader, making: making, then: then)
        return reader
    }

    /// Opens a reader's screen, for the first time or again.
    package func open(
        _ request: GetScreenRequest, for reader: FeedReader, making: @escaping FeedText,
        then: @escaping (Status?) -> Void
    ) {
        let identity = reader.identity
        if let refusal = Authoriser.refusal(of: request, to: identity) { return then(refusal) }
        guard !request.isPreview else { return then(.previewFollowed) }
        let open = OpenRequest(request, user: identity.user, claims: identity.claims)
        let feeds = admitted.registry.feeds
        if identity.knowsClaims, feeds.canJoin(reader, open) {
            then(nil)
            return feeds.join(reader, open)
        }
        var who = ContentCaller(identity: identity, clientID: clientID)
        who.origin = AddressKey(peer).map { UInt64(bitPattern: Int64($0.hashValue)) }
        let me = NIOLoopBound((self, reader, making, feeds, then), eventLoop: channel.eventLoop)
        let (source, publications) = (services.source, admitted.registry.publications)
        source.open(open, by: who, for: admitted.connection) { result in
            publications.add {
                let (connection, reader, making, feeds, then) = me.value
                guard connection.isHere, !reader.hasLeft else {
                    if case .success(let view) = result { source.release(view.handles) }
                    return
                }
                switch result {
                case .failure(let status): then(status)
                case .success(let view):
                    then(nil)
                    let deadline = connection.now() + connection.services.settings.catchUpMilliseconds
                    feeds.add(reader, open, view, making: making, deadline: deadline)
                }
            }
        }
    }

    /// Ends the following of a reader's screen.
    package func leave(_ reader: FeedReader) {
        guard !reader.hasLeft else { return }
        reader.hasLeft = true
        services.counts.feedReaders.subtract(1, ordering: .relaxed)
        admitted.registry.feeds.remove(reader)
        reader.identity.grant.leave()
        guard let user = reader.identity.user else { return }
        admitted.registry.publications.left(user)
        services.connections.left(user: user)
    }

    /// Writes bytes that are shared with other connections, past the pipeline if possible.
    /// - Returns: whether the client accepts more at once.
    @discardableResult
    package func write(shared bytes: ByteBuffer) -> Bool {
        switch admitted.direct?.write(bytes) ?? .notNow {
        // Nothing is waiting, and asking the channel takes longer than the rest of this.
        case .sent: return true
        case .handedOver: break
        case .notNow: channel.writeAndFlush(bytes, promise: nil)
        }
        return channel.isWritable
    }
}
