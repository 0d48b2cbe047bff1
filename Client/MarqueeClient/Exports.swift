// Re-exports the values in this library's API, so one import is enough for an app. An app with its own TLS options also
// imports MarqueeTLS.
@_exported public import MarqueeModel
