/// The version of this software, which the server, the client library and the programs name.
package enum MarqueeVersion {
    package static let current = "0.2.0"
}
