/// What comes in frames, each with its length before it.
enum HandshakeFrame {
    /// The responder's half of the session's name and its CPace share.
    case answer
    /// The initiator's CPace share.
    case share
    /// The Noise messages.
    case first, second, third

    /// How long it is, where that is known before it comes.
    var length: Int? {
        switch self {
        case .answer: CodeExchange.answerLength
        case .share: CodeExchange.shareLength
        case .first, .second, .third: nil
        }
    }

    static func encode(_ content: [UInt8]) -> [UInt8] {
        [UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
}
