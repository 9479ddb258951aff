/// Name of a device: people type it after `--to`, and other devices show it.
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
        // Compares code points, as other implementations do: a character can begin or end with white space without
        // being white space.
        let ends = [composed.unicodeScalars.first, composed.unicodeScalars.last]
        if ends.contains(where: { $0?.properties.isWhitespace == true }) { throw .spaceAtEnd }
        text = composed
    }

    /// Name of a device at its first start: the account and the first label of the host name, as in `ada@laptop`.
    ///
    /// Characters that no device name may hold are dropped, and so is the end that does not fit. `portolan` stands for
    /// a host without a name.
    public init(account: String, hostName: String) {
        // On a command line, an @ at the start names a team.
        let user = Self.harmless(account).drop { $0 == "@" || $0.isWhitespace }
        let host = Self.harmless(hostName.prefix { $0 != "." })
        var name = (user.isEmpty ? "" : user + "@") + (host.isEmpty ? "portolan" : host)
        while name.utf8.count > Self.maximumBytes { name.removeLast() }
        while name.last?.isWhitespace == true { name.removeLast() }
        self = (try? DeviceName(name)) ?? DeviceName(unchecked: "portolan")
    }

    private init(unchecked text: String) { self.text = text }

    /// The characters of a text that a device name may hold.
    private static func harmless(_ text: some StringProtocol) -> String {
        String(text.composed.filter { DisplayText.isHarmless(String($0)) })
    }

    /// Returns the name itself if it is free, else the first free one of “name (2)”, “name (3)” and so on.
    ///
    /// A name that leaves no room for the number is shortened.
    /// - Parameter taken: comparison keys of the names that are not free.
    package func free(among taken: Set<String>) -> DeviceName {
        var candidate = self
        var number = 1
        while taken.contains(candidate.comparisonKey) {
            number += 1
            candidate = numbered(number)
        }
        return candidate
    }

    private func numbered(_ number: Int) -> DeviceName {
        let suffix = " (\(number))"
        var base = text
        while base.utf8.count + suffix.utf8.count > Self.maximumBytes { base.removeLast() }
        // A single character can be as long as a name, so that no base may be left.
        let isEmpty = base.allSatisfy(\.isWhitespace)
        return (isEmpty ? nil : try? DeviceName(base + suffix)) ?? DeviceName(unchecked: "device" + suffix)
    }

    /// Form in which names are compared. Case is ignored, as in DNS (RFC 6762 §16).
    package var comparisonKey: String {
        text.lowercased().composed
    }
}

/// Reason why a text cannot be a device's name.
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
