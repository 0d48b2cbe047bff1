// Re-exports the values that describe a layout, so one import is enough.
@_exported public import MarqueeModel
