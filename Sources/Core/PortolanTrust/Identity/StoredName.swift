import PortolanValues

/// File with the device's name: one line of UTF-8.
///
/// The name is kept from the first start on, because peers pin keys to names: a later change of the host name must not
/// make this device look like another.
struct StoredName {
    static let fileName = "name"
    private static let sizeLimit = 1024

    private let directoryPath: String

    init(home: HomeDirectory) { directoryPath = home.state }

    func loadOrCreate(_ makeDefault: @autoclosure () -> DeviceName) throws(StoreError) -> DeviceName {
        let directory = try PrivateDirectory(path: directoryPath)
        if let name = try load(from: directory) { return name }
        let fallback = makeDefault()
        if try directory.create(Self.fileName, Self.text(of: fallback)) { return fallback }
        return try load(from: directory) ?? fallback
    }

    /// - Returns: nil where there is none yet.
    func load() throws(StoreError) -> DeviceName? {
        guard let directory = try PrivateDirectory(existing: directoryPath) else { return nil }
        return try load(from: directory)
    }

    func replace(with name: DeviceName) throws(StoreError) {
        try PrivateDirectory(path: directoryPath).replace(Self.fileName, with: Self.text(of: name))
    }

    private func load(from directory: borrowing PrivateDirectory) throws(StoreError) -> DeviceName? {
        guard let contents = try directory.read(Self.fileName, limit: Self.sizeLimit) else { return nil }
        guard contents.last == UInt8(ascii: "\n"), let line = String(validating: contents.dropLast(), as: UTF8.self),
            let name = try? DeviceName(line)
        else {
            throw StoreError(
                .damaged(reason: "it does not hold a device name"), path: directory.path(of: Self.fileName),
                remedy: "Give this device a name again.", advice: .renameDevice)
        }
        return name
    }

    private static func text(of name: DeviceName) -> [UInt8] { Array("\(name)\n".utf8) }
}
