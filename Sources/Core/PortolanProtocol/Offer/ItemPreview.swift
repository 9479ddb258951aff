import Foundation

/// Preview of an item, shown to a person beside the title before the decision.
///
/// Display only: it is not stored with the item and not passed on.
public struct ItemPreview: Hashable, Sendable {
    /// Small picture, encoded. A peer's picture is hostile input to its decoder.
    public struct Picture: Hashable, Sendable {
        /// The identifier of its type, such as `public.png`.
        public let type: String
        /// At most ``Limits/picture`` bytes, and never none.
        public let data: Data

        public init(type: String, data: Data) throws(InvalidValue) {
            try InvalidValue.checkToken(type, "A type identifier")
            guard !data.isEmpty else { throw InvalidValue("A picture has no data.") }
            try InvalidValue.check(
                data.count <= Limits.picture,
                limit: "A picture has at most \(Limits.picture) bytes; this one has \(data.count).")
            self.type = type
            self.data = data
        }
    }

    /// Message of the sender's user. Peer text: shown through `DisplayText` only.
    public let message: String
    public let image: Picture?
    public let icon: Picture?

    public init(message: String = "", image: Picture? = nil, icon: Picture? = nil) throws(InvalidValue) {
        try InvalidValue.checkText(message, "The message of a preview")
        self.init(checked: message, image: image, icon: icon)
    }

    /// - Parameter message: the message of another preview.
    init(checked message: String, image: Picture?, icon: Picture?) {
        self.message = message
        self.image = image
        self.icon = icon
    }

    /// The preview without its pictures, or nil if nothing is left of it.
    var withoutPictures: ItemPreview? {
        message.isEmpty ? nil : ItemPreview(checked: message, image: nil, icon: nil)
    }
}
