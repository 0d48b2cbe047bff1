import Hummingbird
import MarqueeServer
import NIOCore

/// The context of a request, with the connection that it arrived on.
struct AdminContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address at the other end of the connection.
    let peer: String

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.text ?? "-"
    }
}
