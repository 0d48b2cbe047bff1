// The values in this library's API come along: one import is enough for an app.
@_exported public import MarqueeModel
