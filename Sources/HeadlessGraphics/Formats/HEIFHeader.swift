/// HEIF (ISO/IEC 23008-12), with HEVC (HEIC) or AV1 (AVIF): the properties of the primary item.
enum HEIFHeader {
    /// Returns the format that the brands in the box `ftyp` name; nil for media that is no image.
    static func format(of bytes: ByteView) -> ImageFormat? {
        guard let box = BoxReader.first("ftyp", in: bytes), let major = box.integer(UInt32.self, at: 0) else {
            return nil
        }
        if let format = format(ofBrand: major) { return format }
        // General brands name no codec; the compatible brands do.
        let isSequence = major == fourCharacterCode("msf1")
        guard isSequence || major == fourCharacterCode("mif1") || major == fourCharacterCode("mif2") else { return nil }
        let compatible = stride(from: 8, to: min(box.count, 8 + 4 * 64), by: 4)
            .compactMap { box.integer(UInt32.self, at: $0).flatMap(format(ofBrand:)) }
        return compatible.first ?? .heif
    }

    private static func format(ofBrand brand: UInt32) -> ImageFormat? {
        switch brand {
        case fourCharacterCode("avif"): .avif
        case fourCharacterCode("avis"): .avifSequence
        case fourCharacterCode("heic"), fourCharacterCode("heix"), fourCharacterCode("heim"), fourCharacterCode("heis"):
            .heic
        case fourCharacterCode("hevc"), fourCharacterCode("hevx"), fourCharacterCode("hevm"), fourCharacterCode("hevs"):
            .heicSequence
        default: nil
        }
    }

    static func read(_ bytes: ByteView, as format: ImageFormat) throws(ImageError) -> ImageHeader {
        // The box `meta` begins with 4 bytes of version and flags, as `pitm` and `ipma` do.
        guard let meta = BoxReader.first("meta", in: bytes)?.view(from: 4),
            let primary = BoxReader.first("pitm", in: meta).flatMap(primaryItem),
            let properties = BoxReader.first("iprp", in: meta),
            let container = BoxReader.first("ipco", in: properties)
        else { throw .malformed(format, "it names no primary item with properties, or is cut short") }

        let indices = BoxReader(properties).lazy.filter { $0.isType("ipma") }
            .compactMap { propertyIndices(of: primary, in: $0.content) }.first
        guard let indices else { throw .malformed(format, "its primary item has no properties") }

        let boxes = Array(BoxReader(container).prefix(propertyLimit))
        var size: (width: UInt32, height: UInt32)?
        var isMirrored = false
        var quarterTurns = 0
        // Transformations apply in the order in which the item lists them. Indices count from 1.
        for index in indices where index >= 1 && index <= boxes.count {
            let box = boxes[index - 1]
            if box.isType("ispe"), size == nil, let width = box.content.integer(UInt32.self, at: 4),
                let height = box.content.integer(UInt32.self, at: 8)
            {
                size = (width, height)
            } else if box.isType("irot"), let angle = box.content.byte(at: 0) {
                quarterTurns += Int(angle & 3)
            } else if box.isType("imir"), let axis = box.content.byte(at: 0) {
                // Axis 1 exchanges left with right; axis 0 exchanges top with bottom, which adds a half turn. A mirror
                // after a turn equals the mirror first and then the reverse turn.
                isMirrored.toggle()
                quarterTurns = (axis & 1 == 1 ? 0 : 2) - quarterTurns
            }
        }
        guard let size else { throw .malformed(format, "its primary item states no size") }
        return try ImageHeader(
            format, width: size.width, height: size.height,
            orientation: Orientation(isMirrored: isMirrored, quarterTurns: quarterTurns))
    }

    /// An index into the properties has 15 bits.
    private static let propertyLimit = 1 << 15

    /// Largest number of entries; real images have fewer, with tiles and thumbnails.
    private static let entryLimit: UInt32 = 1 << 16

    private static func primaryItem(_ box: ByteView) -> UInt32? {
        guard let version = box.byte(at: 0) else { return nil }
        return version == 0 ? box.integer(UInt16.self, at: 4).map(UInt32.init) : box.integer(UInt32.self, at: 4)
    }

    /// Returns the properties of one item, as indices into `ipco`, from the association list `ipma`.
    private static func propertyIndices(of item: UInt32, in box: ByteView) -> [Int]? {
        guard let version = box.byte(at: 0), let flags = box.byte(at: 3), let entries = box.integer(UInt32.self, at: 4)
        else { return nil }
        let indexWidth = flags & 1 == 0 ? 1 : 2
        var position = 8
        // The number of entries is untrusted; the end of the bytes ends the loop.
        for _ in 0..<min(entries, entryLimit) {
            let identifier =
                version == 0
                ? box.integer(UInt16.self, at: position).map(UInt32.init) : box.integer(UInt32.self, at: position)
            position += version == 0 ? 2 : 4
            guard let identifier, let count = box.byte(at: position).map(Int.init) else { return nil }
            position += 1
            if identifier == item {
                guard let list = box.view(at: position, count: count * indexWidth) else { return nil }
                // The top bit marks the property as essential.
                return (0..<count).compactMap { index in
                    indexWidth == 1
                        ? list.byte(at: index).map { Int($0 & 0x7F) }
                        : list.integer(UInt16.self, at: 2 * index).map { Int($0 & 0x7FFF) }
                }
            }
            position += count * indexWidth
        }
        return nil
    }
}
