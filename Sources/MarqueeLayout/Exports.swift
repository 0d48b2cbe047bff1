// The values that a layout is described with: one import is enough.
@_exported public import MarqueeModel
