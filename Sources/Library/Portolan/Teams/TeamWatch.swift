/// Reports possible changes of this device's teams on disk, by any process.
struct TeamWatch {
    private static let pause = Duration.seconds(2)

    let home: HomeDirectory

    /// An element for each change, several at a time being one. Ends when the task that iterates is cancelled.
    var changes: AsyncStream<Void> { HomeFolderWatch(TeamStore.folder(in: home), pause: Self.pause).changes }
}
