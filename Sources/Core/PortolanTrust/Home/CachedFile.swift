/// Value made from a file, or from the list of a directory, and cached until that changes.
///
/// Other processes write the files, too, so each use compares the stamp: one system call without a thread, after which
/// no value of a replaced file is returned. inotify would save that call, but cost a thread, one of a user's few
/// inotify descriptors, and a delay until its event is read, in which a removed device would still be a member.
package struct CachedFile<Value: Sendable>: Sendable {
    private var known: (stamp: CachedFileStamp?, value: Value)?

    package init() {}

    /// Returns the value, and reads the file if it has changed.
    ///
    /// The stamp is taken here, so that of two calls under one lock the later never gets the older value.
    /// - Parameters:
    ///   - name: name of the file; nil for the directory itself.
    ///   - read: makes the value, also for a missing file.
    package mutating func value(
        of name: String?, in directory: borrowing PrivateDirectory,
        read: (borrowing PrivateDirectory) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try value(for: directory.stamp(of: name)) { () throws(StoreError) in try read(directory) }
    }

    /// Returns the value if the path still leads to the unchanged file or directory from which it was made; nil if it
    /// must be read again, also if there was no file. Opens no file: its permissions were checked when it was read.
    package func value(ifUnchangedAt path: String) -> Value? {
        guard let known, let stamp = known.stamp, stamp.isSettled, (try? CachedFileStamp.of(path)) == stamp else {
            return nil
        }
        return known.value
    }

    /// Returns the value, and reads it again if the file's stamp is different or not settled.
    ///
    /// - Parameter stamp: taken just before this call; nil if there is no file.
    mutating func value(for stamp: CachedFileStamp?, read: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        if let known, known.stamp == stamp, known.stamp?.isSettled ?? true { return known.value }
        // After a failed read there is no cached value.
        known = nil
        let value = try read()
        known = (stamp, value)
        return value
    }
}
