/// Readers of a form of an item. Within this process every form can be loaded.
@frozen public enum NSItemProviderRepresentationVisibility: Int, Sendable {
    /// All readers.
    case all = 0

    /// Programs and people of the same team.
    case team = 1

    /// Members of the same group.
    case group = 2

    /// This process alone.
    case ownProcess = 3
}

extension NSItemProviderRepresentationVisibility {
    init(_ visibility: TransferRepresentationVisibility) {
        self = Self(rawValue: Int(visibility.level)) ?? .ownProcess
    }

    var transferVisibility: TransferRepresentationVisibility {
        TransferRepresentationVisibility(level: UInt8(rawValue))
    }
}

/// Permitted uses of a form that is a file.
public struct NSItemProviderFileOptions: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Opening of the file itself, and not only of a copy.
    public static let openInPlace = NSItemProviderFileOptions(rawValue: 1)
}

/// Key for the wanted size of an image, in the options of a load. The name is Apple's.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSItemProviderPreferredImageSizeKey = "NSItemProviderPreferredImageSizeKey"
