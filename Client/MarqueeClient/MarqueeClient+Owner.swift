import MarqueeMirror

/// Signing out, and starting over.
extension MarqueeClient {
    /// Deletes the user's data, and closes the client: collections, changes not yet sent, and every stored screen that
    /// depends on the user. The bytes are overwritten. Screens that look the same to everybody stay, so that the next
    /// user, whose client takes over the mirror, has something to show immediately.
    ///
    /// To give changes a last chance to be sent, call `waitForConfirmation(within:)` first.
    /// - Throws: why the mirror could not be changed. The client is closed anyway; delete the mirror with
    ///   `eraseMirror(of:)` then.
    public func signOut() async throws(ClientError) {
        try await onLoop(throwing: { engine throws(ClientError) in try engine.signOut() })
    }

    /// Deletes the whole mirror, including unsent changes, and closes the client.
    /// - Throws: why the mirror could not be deleted. The client is closed anyway.
    public func erase() async throws(ClientError) {
        try await onLoop(throwing: { engine throws(ClientError) in try engine.erase() })
    }

    /// Deletes a mirror that no client has open, whoever it belongs to: for example, one that can't be opened because
    /// it is another user's. A path without a file is not an error.
    /// - Parameter path: the path of the SQLite file.
    /// - Throws: `mirrorInUse` while a client has it open; `notAMirror` for any other file, which is left untouched;
    ///   `mirrorUnusable` when it can't be deleted.
    package static func eraseMirror(at path: String) async throws(ClientError) {
        do throws(MirrorError) { try Mirror.erase(at: path) } catch { throw ClientError(mirror: error) }
    }

    /// Deletes the mirror that a client with this configuration would open. No client may have it open; it may belong
    /// to any user. If there is none, nothing happens.
    /// - Throws: `mirrorInUse` while a client has it open; `notAMirror` for any other file, which is left untouched;
    ///   `mirrorUnusable` when it can't be deleted.
    public static func eraseMirror(of configuration: ClientConfiguration) async throws(ClientError) {
        do throws(MirrorError) {
            guard case .file(let path) = try configuration.mirrorLocation() else { return }
            try Mirror.erase(at: path)
        } catch {
            throw ClientError(mirror: error)
        }
    }
}
