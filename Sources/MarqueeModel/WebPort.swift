/// A server's port for the web, to which a program that speaks Marquee's own protocol may have connected by mistake.
package enum WebPort {
    /// Whether the first bytes of a connection are the answer of a web server.
    package static func answers(with bytes: some Sequence<UInt8>) -> Bool { bytes.prefix(4).elementsEqual("HTTP".utf8) }

    /// A hint for people on how to mend it.
    package static let advice =
        "that is a port for the web (--web), which answers by HTTP; this needs the port of --listen, 7420 by default"
}
