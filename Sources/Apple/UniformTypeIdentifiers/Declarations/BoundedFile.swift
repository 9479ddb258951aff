/// Reads files that other programs may have written or replaced.
enum BoundedFile {
    struct Failure: Error, Hashable {
        /// Reason of the failure; follows the file's name in a sentence.
        let sentence: String
    }

    /// Reads the contents of a regular file of at most `maximumSize` bytes. Never waits for a pipe or a device.
    static func read(_ path: String, maximumSize: Int) throws(Failure) -> Data {
        Data(try bytes(path, maximumSize: maximumSize))
    }

    /// Reads the contents as bytes, in one piece if the file does not change meanwhile.
    static func bytes(_ path: String, maximumSize: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable() }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(sentence: "is not a regular file")
        }
        guard status.st_size <= maximumSize else { throw tooLarge(maximumSize) }
        var bytes: [UInt8] = []
        // A byte beyond the known size shows that the file has grown; the buffer is doubled then.
        var room = Int(status.st_size) + 1
        while true {
            let piece = try Self.piece(of: descriptor, room: room)
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            guard bytes.count <= maximumSize else { throw tooLarge(maximumSize) }
            // A file that has a size gives less than there was room for at its end alone.
            if piece.isEmpty || piece.count < room && status.st_size > 0 { return bytes }
            room = min(max(bytes.count, 4096), maximumSize - bytes.count + 1)
        }
    }

    /// Reads the bytes of one call; empty at the end.
    private static func piece(of descriptor: Int32, room: Int) throws(Failure) -> [UInt8] {
        var count = 0
        let piece = [UInt8](unsafeUninitializedCapacity: room) { memory, initialized in
            repeat {
                count = Glibc.read(descriptor, memory.baseAddress, room)
            } while count < 0 && errno == EINTR
            initialized = max(count, 0)
        }
        guard count >= 0 else { throw unreadable() }
        return piece
    }

    private static func unreadable() -> Failure {
        Failure(sentence: "cannot be read: \(String(cString: strerror(errno)))")
    }

    private static func tooLarge(_ maximumSize: Int) -> Failure {
        Failure(sentence: "is larger than \(maximumSize >> 20) MiB")
    }
}
