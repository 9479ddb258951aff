import CPortolanLinux

/// Protection of this process's memory, which contains keys.
public enum ProcessMemory {
    /// Keeps other processes of the same user, and core dumps, from reading this process's memory.
    ///
    /// Sets the limit on core files to 0 and makes the process not dumpable (`PR_SET_DUMPABLE`): debuggers without
    /// `CAP_SYS_PTRACE` cannot attach, and the files in `/proc` of this process belong to root. Programs that the
    /// process starts are dumpable and inherit the limit. Neither setting can be undone without privileges.
    ///
    /// The settings are the process's, so the library never makes them by itself. A program calls this at its start,
    /// before it opens a key, as `portolan` does.
    ///
    /// - Throws: `NodeError` of kind `inputOutput` if the system refuses.
    public static func forbidReading() throws(NodeError) {
        guard portolan_forbid_reading_memory() == 0 else {
            let reason = String(cString: strerror(errno))
            throw NodeError(
                .inputOutput,
                "Core dumps of this process could not be forbidden: \(reason). No key was opened. A sandbox that refuses prctl or "
                    + "setrlimit must allow PR_SET_DUMPABLE and RLIMIT_CORE.")
        }
    }

    /// Makes the allocator return freed memory to the system, instead of keeping the largest amount ever used.
    ///
    /// The setting applies to the whole process, so the library never makes it by itself. A long-running program calls
    /// this at its start, before it starts a second thread.
    public static func giveBack() { portolan_give_back_memory() }
}
