/// A reference to an image. The image's bytes are never sent over this protocol.
public struct ImageReference: Hashable, Sendable, Codable {
    /// A name to be appended to the server's image base URL, or a complete URL.
    public var name: String
    /// Width / height.
    public var aspect: Double?
    /// `#rrggbb`, shown until the image is loaded.
    public var color: String?

    /// An image by its name or URL.
    package init(name: String, aspect: Double? = nil, color: String? = nil) {
        self.name = name
        self.aspect = aspect
        self.color = color
    }
}
