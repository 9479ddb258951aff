import PortolanProtocol

/// Preview of a shared value for a receiver that decides on it: a title, and optionally an image and an icon.
///
/// The image and the icon are shown, not sent as items. Each travels as the first of its representations that is a
/// picture of at most 32 KiB; else as a smaller picture of the first PNG, JPEG or GIF, if the decoder is installed
/// (Debian: libgd3); and is left out where there is none.
public struct SharePreview<Image: Transferable, Icon: Transferable>: Sendable {
    public let title: String
    let image: Image?
    let icon: Icon?

    public init(_ title: some StringProtocol, image: Image, icon: Icon) {
        self.title = String(title)
        self.image = image
        self.icon = icon
    }
}

extension SharePreview where Icon == Never {
    public init(_ title: some StringProtocol, image: Image) {
        self.title = String(title)
        self.image = image
        icon = nil
    }
}

extension SharePreview where Image == Never {
    public init(_ title: some StringProtocol, icon: Icon) {
        self.title = String(title)
        image = nil
        self.icon = icon
    }
}

extension SharePreview where Image == Never, Icon == Never {
    public init(_ title: some StringProtocol) {
        self.title = String(title)
        image = nil
        icon = nil
    }
}

extension SharePreview {
    /// Returns the preview that is sent, with a message; nil if there is nothing but the title.
    ///
    /// - Throws: `InvalidValue` for a message of more than 1024 bytes.
    func itemPreview(message: String) async throws -> CandidatePreview? {
        let image = await image?.previewPicture()
        let icon = await icon?.previewPicture()
        guard !message.isEmpty || image != nil || icon != nil else { return nil }
        return try CandidatePreview(message: message, image: image, icon: icon)
    }
}

extension Transferable {
    /// Makes a picture of this value for a preview, from a representation for everyone; nil if none is suitable.
    func previewPicture() async -> CandidatePreview.Picture? {
        var large: [Data] = []
        for form in (try? exportableRepresentations()) ?? []
        where form.contentType.conforms(to: .image) && form.visibility == .all {
            guard case .data(let data)? = try? await form.export() else { continue }
            if let picture = try? ItemPreview.Picture(type: form.contentType.identifier, data: data) {
                return CandidatePreview.Picture(picture)
            }
            large.append(data)
        }
        for data in large {
            if let picture = try? await ItemPreview.Picture(shrinking: data) {
                return CandidatePreview.Picture(picture)
            }
        }
        return nil
    }
}

extension ItemPreview.Picture {
    /// Makes a smaller picture of an image that is too large for a preview.
    ///
    /// - Throws: `ImageError` where it is no PNG, JPEG or GIF, or no decoder for it is installed.
    package init(shrinking data: Data) async throws {
        let small = try await HeadlessGraphics.Image(data: data).thumbnail(byteLimit: Limits.picture)
        try self.init(type: small.contentType.identifier, data: small.data)
    }
}
