/// Request for one of several items at the same time, for ``NSFileCoordinator/coordinate(with:queue:byAccessor:)``.
public final class NSFileAccessIntent: NSObject, Sendable {
    /// The item to work on once access is granted.
    public let url: URL

    let claim: FileClaims.Part?

    private init(_ url: URL, _ claim: FileClaims.Part?) {
        self.url = url
        self.claim = claim
    }

    public static func readingIntent(
        with url: URL, options: NSFileCoordinator.ReadingOptions = []
    ) -> NSFileAccessIntent {
        let item = options.item(at: url)
        return NSFileAccessIntent(item, options.part(for: item))
    }

    public static func writingIntent(
        with url: URL, options: NSFileCoordinator.WritingOptions = []
    ) -> NSFileAccessIntent {
        NSFileAccessIntent(url, options.part(for: url))
    }
}
