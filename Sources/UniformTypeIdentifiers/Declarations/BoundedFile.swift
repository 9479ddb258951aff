import Foundation

/// Reads files that other programs may have written or replaced.
enum BoundedFile {
    struct Failure: Error, Hashable {
        /// Reason of the failure; follows the file's name in a sentence.
        let sentence: String
    }

    /// The contents of a regular file of at most `maximumSize` bytes. Never waits for a pipe or a device.
    static func read(_ path: String, maximumSize: Int) throws(Failure) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(sentence: "cannot be read: \(String(cString: strerror(errno)))") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(sentence: "is not a regular file")
        }
        guard status.st_size <= maximumSize else {
            throw Failure(sentence: "is larger than \(maximumSize >> 20) MiB")
        }
        do {
            // The file may have grown since its size was read.
            let data = try file.read(upToCount: maximumSize + 1) ?? Data()
            guard data.count <= maximumSize else {
                throw Failure(sentence: "is larger than \(maximumSize >> 20) MiB")
            }
            return data
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(sentence: "cannot be read: \(error.localizedDescription)")
        }
    }
}
