/// A piece of memory that begins with a page, for one thread at a time.
final class AlignedMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(count: Int) {
        bytes = .allocate(byteCount: count, alignment: 4096)
    }

    deinit { bytes.deallocate() }
}
