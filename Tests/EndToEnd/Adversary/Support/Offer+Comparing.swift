import PortolanProtocol

extension Offer {
    /// Encoded offer without source identifiers, which differ for data in each sending.
    var bytesWithoutSources: [UInt8] {
        get throws {
            let items = try items.map { item in
                try OfferedItem(
                    title: item.title, representations: item.representations.map { try $0.withoutItsSource() },
                    preview: item.preview, inline: item.inline)
            }
            return Message.offer(try Offer(id: id, items: items, request: request)).encode()
        }
    }
}

extension OfferedRepresentation {
    fileprivate func withoutItsSource() throws -> OfferedRepresentation {
        try OfferedRepresentation(
            type: type, restriction: restriction, channel: channel, size: size, apparentSize: apparentSize,
            estimatedSize: estimatedSize, suggestedName: suggestedName, isFolder: isFolder)
    }
}
