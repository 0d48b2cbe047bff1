// Every test of processes and sockets waits for them: one import is enough for this module.
@_exported public import ProcessSupport
