// The values that this library's API shows: one import is enough for an app.
@_exported public import MarqueeModel
