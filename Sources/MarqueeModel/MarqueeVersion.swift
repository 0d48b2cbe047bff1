/// The version of this software, as the server, the client library and the programs report it.
package enum MarqueeVersion {
    package static let current = "0.2.0"
}
