/// Value made of a file, or of a directory's list, and kept in memory for as long as that stays as it is.
///
/// Other processes write the files, too, so each use looks at the stamp: a system call without a thread, and nothing is answered
/// from a file that was replaced before. inotify would save that call, and cost a thread, a descriptor of which a user has few, and
/// the time until its event is read, in which a device that was removed would still be a member.
struct CachedFile<Value: Sendable>: Sendable {
    private var known: (stamp: FileStamp?, value: Value)?

    /// The value, read anew if the file has changed.
    ///
    /// The stamp is taken here, so that of two calls under one lock the later never gets the older value.
    /// - Parameters:
    ///   - name: of the file; nil for the directory itself.
    ///   - read: makes the value; of a file that is not there, too.
    mutating func value(
        of name: String?, in directory: borrowing PrivateDirectory,
        read: (borrowing PrivateDirectory) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try value(for: directory.stamp(of: name)) { () throws(StoreError) in try read(directory) }
    }

    /// The value if what is at this path is the very file, or directory, that it was made of and has not changed; nil if it has to be read
    /// anew, as where there was none. Opens nothing: who may write to it was judged when it was read.
    func value(ifUnchangedAt path: String) -> Value? {
        guard let known, let stamp = known.stamp, stamp.isSettled, (try? FileStamp.of(path)) == stamp else {
            return nil
        }
        return known.value
    }

    /// The value, read anew if the file's stamp is another one or not settled.
    ///
    /// - Parameter stamp: taken just before this call; nil if there is no file.
    mutating func value(for stamp: FileStamp?, read: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        if let known, known.stamp == stamp, known.stamp?.isSettled ?? true { return known.value }
        // What cannot be read leaves nothing behind that could be taken for it.
        known = nil
        let value = try read()
        known = (stamp, value)
        return value
    }
}
