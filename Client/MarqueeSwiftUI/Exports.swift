// A client and a screen's model are part of this library's API.
@_exported public import MarqueeClient
@_exported public import MarqueeScreenModels
