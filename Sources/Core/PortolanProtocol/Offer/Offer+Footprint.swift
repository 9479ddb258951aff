import PortolanValues

extension Offer {
    /// Memory of the offer in bytes: many times its encoded size if it has many small items.
    package var footprint: Int { items.footprint { $0.footprint } }
}

extension OfferedItem {
    /// Memory of the item beyond its own value, in bytes.
    package var footprint: Int {
        title.footprint + representations.footprint { $0.footprint } + (preview?.footprint ?? 0)
            + (inline.map { $0.content.count + $0.name.count + allocation } ?? 0)
    }
}

extension ItemPreview {
    fileprivate var footprint: Int {
        message.footprint
            + [image, icon].reduce(0) { $0 + ($1.map { $0.type.footprint + $0.data.count + allocation } ?? 0) }
    }
}

extension OfferedRepresentation {
    fileprivate var footprint: Int {
        type.identifier.footprint + type.ancestors.footprint { $0.footprint }
            + type.extensions.footprint { $0.footprint } + type.mimeTypes.footprint { $0.footprint }
            + (type.description?.footprint ?? 0) + (suggestedName?.footprint ?? 0) + source.footprint { _ in 0 }
            + (restriction.audience.map { audience in allocation + audience.groups.footprint { $0.text.footprint } }
                ?? 0)
    }
}

/// Bytes that an object takes besides its content: its header, and the overhead of the allocator.
private let allocation = 48

extension String {
    /// Memory beyond the string value itself, which stores up to 15 bytes.
    fileprivate var footprint: Int { utf8.count > 15 ? utf8.count + allocation : 0 }
}

extension Array {
    fileprivate func footprint(_ ofElement: (Element) -> Int) -> Int {
        isEmpty
            ? 0 : reduce(allocation + count * MemoryLayout<Element>.stride) { $0 + ofElement($1) }
    }
}
