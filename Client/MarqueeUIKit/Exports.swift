// A screen's model is part of what an app sees here.
@_exported public import MarqueeScreenModels
