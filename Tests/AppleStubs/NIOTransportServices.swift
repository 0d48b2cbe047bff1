// The signatures of NIOTransportServices 1.28.0 that MarqueeClient uses: on systems without Network.framework that
// package has none of them. Nothing here does anything, and it is no target of the package.

public import Dispatch
public import NIOCore
public import Network

public final class NIOTSEventLoopGroup: EventLoopGroup {
    public convenience init(loopCount: Int = 1, defaultQoS: DispatchQoS = .default) { unusable() }
    public func next() -> any EventLoop { unusable() }
    public func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {}
    public func makeIterator() -> EventLoopIterator { unusable() }
}

public struct NIOTSChannelOptions: Sendable {
    public static let waitForActivity = NIOTSChannelOptions.Types.NIOTSWaitForActivityOption()

    public enum Types: Sendable {
        public struct NIOTSWaitForActivityOption: ChannelOption, Equatable {
            public typealias Value = Bool
            public init() {}
        }
    }
}

public final class NIOTSConnectionBootstrap {
    public init?(validatingGroup group: any EventLoopGroup) { unusable() }
    @preconcurrency
    public func channelInitializer(
        _ handler: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> Self { unusable() }
    public func channelOption<Option: ChannelOption>(_ option: Option, value: Option.Value) -> Self { unusable() }
    public func connectTimeout(_ timeout: TimeAmount) -> Self { unusable() }
    public func tlsOptions(_ options: NWProtocolTLS.Options) -> Self { unusable() }
    public func connect(host: String, port: Int) -> EventLoopFuture<any Channel> { unusable() }
}

private func unusable() -> Never { fatalError("only signatures, for type checking") }
