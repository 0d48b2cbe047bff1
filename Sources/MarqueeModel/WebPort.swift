/// A server's port for the web, to which a program that speaks Marquee's own protocol may have connected by mistake.
package enum WebPort {
    /// Whether the first bytes received on a connection are a web server's response.
    package static func answers(with bytes: some Sequence<UInt8>) -> Bool { bytes.prefix(4).elementsEqual("HTTP".utf8) }

    /// Tells people how to fix it.
    package static let advice =
        "that is a port for the web (--web), which answers by HTTP; this needs the port of --listen, 7420 by default"
}
