// Re-exports the values in this library's API, so one import is enough for an app.
@_exported public import MarqueeModel
@_exported public import MarqueeTLS
