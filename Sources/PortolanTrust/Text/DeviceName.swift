/// The name a device goes by: what people type after `--to`, and what others show.
///
/// 1 to 63 bytes of UTF-8 in Unicode's composed form (NFC), the size of one DNS label, with nothing invisible in it and
/// no space at either end. A name proves nothing; the device key does.
public struct DeviceName: Hashable, Sendable, CustomStringConvertible {
    /// The longest name in bytes of UTF-8: one DNS label (RFC 6763 §4.1.1).
    public static let maximumBytes = 63

    public let text: String

    /// The name, fit to be shown between quotation marks.
    public var description: String { DisplayText(text).text }

    public init(_ candidate: some StringProtocol) throws(DeviceNameError) {
        let composed = candidate.composed
        if composed.isEmpty { throw .empty }
        if composed.utf8.count > Self.maximumBytes { throw .tooLong(bytes: composed.utf8.count) }
        guard DisplayText.isHarmless(composed) else { throw .unprintable(shown: DisplayText(composed)) }
        if composed.first?.isWhitespace == true || composed.last?.isWhitespace == true { throw .spaceAtEnd }
        text = composed
    }

    /// The name a device starts with: the first label of its host name, or `portolan` where that is no name.
    public init(hostName: String) {
        let label = hostName.prefix { $0 != "." }
        if let name = try? DeviceName(label) {
            self = name
        } else {
            text = "portolan"
        }
    }

    /// What two names must differ in to be told apart: DNS compares without case (RFC 6762 §16), and so do people.
    package var comparisonKey: String {
        text.lowercased().composed
    }
}

/// Why a text cannot be a device's name.
public enum DeviceNameError: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    case tooLong(bytes: Int)
    case unprintable(shown: DisplayText)
    case spaceAtEnd

    public var description: String {
        switch self {
        case .empty: "A device name cannot be empty."
        case .tooLong(let bytes):
            "A device name has at most \(DeviceName.maximumBytes) bytes; this one has \(bytes). Choose a shorter one."
        case .unprintable(let shown):
            "A device name cannot hold invisible or control characters: “\(shown)”. Leave them out."
        case .spaceAtEnd: "A device name cannot begin or end with a space."
        }
    }
}
