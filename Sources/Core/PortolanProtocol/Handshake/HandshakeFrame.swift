/// Frames of the handshake, each with its length before it.
enum HandshakeFrame {
    /// The responder's half of the session's name and its CPace share.
    case answer
    /// The initiator's CPace share.
    case share
    /// The Noise messages.
    case first, second, third

    /// Length of the frame, if it is fixed.
    var length: Int? {
        switch self {
        case .answer: CodeExchange.answerLength
        case .share: CodeExchange.shareLength
        case .first, .second, .third: nil
        }
    }

    /// True for frames that come from the responder.
    var isOfResponder: Bool {
        switch self {
        case .answer, .second: true
        case .share, .first, .third: false
        }
    }

    static func encode(_ content: [UInt8]) -> [UInt8] {
        [UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
    }
}
