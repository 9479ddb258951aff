import PortolanFiles

extension ReadableStorage {
    /// Reads bytes of a file from `offset` on, at most `count`; none at its end.
    func read(_ file: Descriptor, at offset: UInt64, count: Int) throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemFailure) in
            try read(file, into: UnsafeMutableRawBufferPointer(bytes), at: offset)
        }
        bytes.removeLast(count - length)
        return bytes
    }
}

extension Storage {
    func write(_ bytes: [UInt8], to file: Descriptor, at offset: UInt64) throws(SystemFailure) {
        try bytes.withUnsafeBufferPointer { bytes throws(SystemFailure) in
            try write(UnsafeRawBufferPointer(bytes), to: file, at: offset)
        }
    }
}
