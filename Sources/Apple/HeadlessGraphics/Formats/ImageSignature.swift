extension ImageFormat {
    /// The format whose signature the bytes begin with; nil if none does.
    ///
    /// The first bytes alone are compared, at most 64 brands of `ftyp` among them. A format that is recognised here may
    /// be malformed behind its signature.
    init?(signatureOf bytes: ByteView) {
        if bytes.has(PNGHeader.signature) {
            self = .png
        } else if bytes.has(JPEGHeader.signature) {
            self = .jpeg
        } else if bytes.has("GIF87a") || bytes.has("GIF89a") {
            self = .gif
        } else if bytes.has("RIFF"), bytes.has("WEBP", at: 8) {
            self = .webP
        } else if bytes.has("ftyp", at: 4), let format = Self.format(ofBrandsIn: bytes) {
            self = format
        } else if bytes.has([0x49, 0x49, 42, 0]) || bytes.has([0x4D, 0x4D, 0, 42]) {
            self = .tiff
        } else if bytes.has("BM"), let length = bytes.integer(UInt32.self, at: 14, .littleEndian),
            length == 12 || (40...124).contains(length)
        {
            // Text may begin with the same two letters. The length of the information header tells them apart: 12
            // bytes of OS/2, 40 to 124 of Windows.
            self = .bmp
        } else {
            return nil
        }
    }

    /// HEIF (ISO/IEC 23008-12) by the brands in the box `ftyp`, the first of the file; nil for media that is no image.
    private static func format(ofBrandsIn bytes: ByteView) -> ImageFormat? {
        guard let length = bytes.integer(UInt32.self, at: 0), let major = bytes.text(at: 8, count: 4) else {
            return nil
        }
        if let format = format(ofBrand: major) { return format }
        // General brands name no codec; the compatible brands do.
        guard ["mif1", "mif2", "msf1"].contains(major) else { return nil }
        let end = min(Int(length), bytes.count, 16 + 4 * brandLimit)
        return stride(from: 16, to: end, by: 4).lazy
            .compactMap { bytes.text(at: $0, count: 4).flatMap(format(ofBrand:)) }.first ?? .heif
    }

    /// Largest number of compatible brands that are looked at; real images have fewer.
    private static let brandLimit = 64

    private static func format(ofBrand brand: String) -> ImageFormat? {
        switch brand {
        case "avif": .avif
        case "avis": .avifSequence
        case "heic", "heix", "heim", "heis": .heic
        case "hevc", "hevx", "hevm", "hevs": .heicSequence
        default: nil
        }
    }
}
