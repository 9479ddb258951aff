extension ReadableStorage {
    /// Reads bytes of a file from `offset` on, at most `count`; none at its end.
    package func read(_ file: Descriptor, at offset: UInt64, count: Int) throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemFailure) in
            try read(file, into: UnsafeMutableRawBufferPointer(bytes), at: offset)
        }
        bytes.removeLast(count - length)
        return bytes
    }

    /// Returns the names of all entries of a folder; those that no file here may have are left out.
    package func names(in folder: Descriptor) throws(SystemFailure) -> [String] {
        var reader = DirectoryReader(try openFolder(".", in: folder), by: self)
        let listing = try reader.next(.max, through: DirectoryReader.Buffer())
        return (0..<listing.count).compactMap { try? listing.fileName($0).text }
    }
}

extension Storage {
    package func write(_ bytes: [UInt8], to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
        try bytes.withUnsafeBufferPointer { bytes throws(SystemFailure) in
            try write(UnsafeRawBufferPointer(bytes), to: file, at: offset)
        }
    }
}
