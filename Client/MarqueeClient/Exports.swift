// Re-exports the values in this library's API, so one import is enough for an app. One that has its own TLS options
// imports MarqueeTLS as well.
@_exported public import MarqueeModel
