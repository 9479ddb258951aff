extension ItemPlace {
    /// Finds an unchanged stored item with the same data, whose receipt was lost with its session.
    ///
    /// - Parameters:
    ///   - staged: the received data.
    ///   - name: its new name.
    func twin(of staged: Descriptor, called name: FileName) throws(SystemFailure) -> StoredTarget? {
        guard let identity else { return nil }
        let size = try staged.status().size
        for candidate in inbox.targets(identity, called: name, isFolder: false, in: folder) {
            guard
                let target = StoredTarget(
                    candidate, in: folder, of: identity, isFolder: false, features: features),
                target.status.size == size, try staged.hasContent(of: target.root)
            else { continue }
            return target
        }
        return nil
    }
}

extension Descriptor {
    /// Bytes that are compared at a time.
    private static let compared = 64 << 10

    /// Returns true if this file and another one have the same bytes.
    fileprivate func hasContent(of other: Descriptor) throws(SystemFailure) -> Bool {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * Self.compared, alignment: 16)
        defer { memory.deallocate() }
        let own = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(Self.compared))
        let others = UnsafeMutableRawBufferPointer(rebasing: memory.suffix(Self.compared))
        var offset: UInt64 = 0
        while true {
            let count = try fill(own, from: offset)
            guard try other.fill(others, from: offset) == count, own.prefix(count).elementsEqual(others.prefix(count))
            else { return false }
            guard count == Self.compared else { return true }
            offset += UInt64(count)
        }
    }

    /// Reads until the buffer is full or the file ends.
    ///
    /// - Returns: the number of bytes that were read.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) throws(SystemFailure) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let read = try KernelStorage().read(self, into: rest, at: offset + UInt64(count))
            if read == 0 { break }
            count += read
        }
        return count
    }
}
