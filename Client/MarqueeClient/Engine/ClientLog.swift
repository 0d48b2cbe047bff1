package import Logging
import MarqueeModel

/// Writes a client's events to its log.
package struct ClientLog: Sendable {
    private let logger: Logger

    package init(_ logger: Logger) { self.logger = logger }

    func record(_ event: ClientEvent) {
        switch event {
        case .state(let state): record(state)
        case .progress(let cut):
            logger.trace("everything up to a revision has arrived", metadata: ["revision": "\(cut.catalogueRevision)"])
        case .changeRejected(let collection, let subject, let error):
            logger.notice("a change was rejected", metadata: ["collection": "\(collection)"])
            logger.debug("rejected", metadata: ["subject": "\(subject)", "reason": "\(error)"])
        case .changesHeldUp(let pending, let error):
            logger.warning("the server postponed changes", metadata: ["pending": "\(pending)", "reason": "\(error)"])
        case .changesLost(let count):
            logger.error("changes were lost with a damaged mirror", metadata: ["count": "\(count)"])
        case .tokenRefused(let error):
            logger.warning("the token was refused", metadata: ["reason": "\(error)"])
        case .optionsRefused(let screen, let error):
            logger.notice("options were refused", metadata: ["screen": "\(screen)", "reason": "\(error)"])
        case .mirrorRecovered(let path, let rescued):
            logger.error(
                "the mirror was damaged and was replaced", metadata: ["setAside": "\(path)", "rescued": "\(rescued)"])
        case .mirrorDamaged(let damage):
            logger.warning("stored sections were damaged", metadata: ["count": "\(damage.count)"])
        case .mirrorProblem(let error):
            logger.warning("the mirror can't store what arrives", metadata: ["reason": "\(error)"])
        }
    }

    private func record(_ state: ConnectionState) {
        switch state {
        case .idle: break
        case .connecting: logger.debug("connecting")
        case .connected(let info):
            logger.info("connected", metadata: ["cluster": "\(info.cluster)", "node": "\(info.node)"])
        case .waiting(let reason, let pause):
            logger.info("not connected", metadata: ["reason": "\(reason)", "pause": "\(pause)"])
        case .failed(let error):
            logger.error("failed", metadata: ["code": "\(error.code)", "reason": "\(error)"])
        case .closed: logger.debug("closed")
        }
    }
}
