/// `com.apple.flat-rtfd`: a folder of rich text and attachments, serialized as one sequence of bytes.
///
/// Apple documents the purpose of this form, not its layout. The layout is taken from independent publications that
/// agree with each other and with data made by programs on macOS: Simon Rodriguez, "NSFileWrapper
/// serializedRepresentation" (blog.simonrodriguez.fr, 2015-09-06, with dumps), and parsers of the same format in
/// Python.
///
/// All numbers are 32 bits, little-endian:
///
///     "rtfd", 0, directory
///     directory = 3, count, count × (length, name), count × (size of the entry), count × entry
///     entry     = directory | file
///     file      = 1, length, bytes
///               | 1, 0x80000000, length, padding, padding × zero, bytes
///
/// The entry `TXT.rtf` is the text. The entry `.` describes the others: count × (length, name, 16, time of change in
/// seconds since 1970, mode, 0, 0). Attachments are further files; there is no place for them in an
/// `AttributedString` without AppKit, and they are left out.
enum FlatRTFD {
    private static let magic = Array("rtfd".utf8)
    private static let textName = Array("TXT.rtf".utf8)
    private static let descriptionName = Array(".".utf8)
    private static let file: UInt32 = 1
    private static let directory: UInt32 = 3
    private static let padded: UInt32 = 0x8000_0000
    /// Largest number of entries; documents have far fewer attachments.
    private static let mostEntries: UInt32 = 65_536

    /// Serializes a folder that holds only this text.
    static func wrapped(rtf: Data) throws -> Data {
        guard rtf.count <= UInt32.max - 8 else {
            throw EncodingError.invalidValue(
                rtf.count,
                .init(codingPath: [], debugDescription: "com.apple.flat-rtfd holds no text of 4 GiB or more."))
        }
        // The time of change is zero, so that the same text gives the same bytes.
        let description = word(1) + named(textName) + word(16) + word(0) + word(0o666) + word(0) + word(0)
        let entries = [(textName, Array(rtf)), (descriptionName, description)]
        var bytes = magic + word(0) + word(directory) + word(UInt32(entries.count))
        for (name, _) in entries { bytes += named(name) }
        for (_, content) in entries { bytes += word(UInt32(content.count + 8)) }
        for (_, content) in entries { bytes += word(file) + named(content) }
        return Data(bytes)
    }

    /// Finds the bytes of `TXT.rtf`.
    static func rtf(in data: Data) throws -> Data {
        var cursor = Cursor(bytes: data)
        guard try cursor.bytes(4).elementsEqual(magic), try cursor.word() == 0, try cursor.word() == directory else {
            throw TransferError.malformed(.flatRTFD, "not a flattened folder: it does not begin with \"rtfd\", 0, 3")
        }
        let count = try cursor.word()
        guard count <= mostEntries else {
            throw TransferError.malformed(.flatRTFD, "said to hold \(count) files, more than \(mostEntries)")
        }
        var place: Int?
        for index in 0..<Int(count) where try cursor.bytes(cursor.word()).elementsEqual(textName) { place = index }
        guard let place else { throw TransferError.malformed(.flatRTFD, "without its text, the file TXT.rtf") }
        let sizes = try (0..<Int(count)).map { _ in try cursor.word() }
        for size in sizes[..<place] { _ = try cursor.bytes(size) }
        var entry = Cursor(bytes: try cursor.bytes(sizes[place]))
        guard try entry.word() == file else {
            throw TransferError.malformed(.flatRTFD, "without its text: TXT.rtf is not a file")
        }
        var length = try entry.word()
        if length == padded {
            length = try entry.word()
            _ = try entry.bytes(entry.word())
        }
        return try Data(entry.bytes(length))
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func named(_ bytes: [UInt8]) -> [UInt8] { word(UInt32(bytes.count)) + bytes }

    private struct Cursor {
        var bytes: Data

        mutating func bytes(_ count: some BinaryInteger) throws -> Data {
            guard count <= bytes.count else {
                throw TransferError.malformed(
                    .flatRTFD, "incomplete: \(count) bytes are announced where \(bytes.count) follow")
            }
            defer { bytes = bytes.dropFirst(Int(count)) }
            return bytes.prefix(Int(count))
        }

        mutating func word() throws -> UInt32 {
            try bytes(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }
}
