// Nothing to call: preloading the library is enough.
