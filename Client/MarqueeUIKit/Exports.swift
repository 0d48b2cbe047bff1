// A client and a screen's model are part of what an app sees here.
@_exported public import MarqueeClient
@_exported public import MarqueeScreenModels
