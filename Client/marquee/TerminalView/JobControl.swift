import Foundation

/// A job's right to its terminal, which the shell gives to one job at a time.
enum JobControl {
    /// Whether the terminal is this job's now, or nobody manages it. Safe in a signal handler.
    static var isForeground: Bool { isForeground(at: STDIN_FILENO) && isForeground(at: STDOUT_FILENO) }

    private static func isForeground(at descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group <= 0 || group == getpgrp()
    }

    /// Returns when the terminal is this job's. Until then the process is stopped, like any background job that asks
    /// for the terminal, and the shell reports it.
    /// - Returns: `false` if the job can't be stopped, because nobody could continue it.
    static func waitForForeground() -> Bool {
        // Threads of a pool block all signals, and a job that blocks this one isn't stopped.
        var (stopping, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&stopping)
        sigaddset(&stopping, SIGTTOU)
        pthread_sigmask(SIG_UNBLOCK, &stopping, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        while !isForeground {
            // Changes nothing; the system stops a background job that calls it, and repeats it when the job continues.
            if tcflow(STDIN_FILENO, TCOON) == 0 { return isForeground }
            guard errno == EINTR else { return false }
        }
        return true
    }
}
