/// Reads property lists that other programs wrote.
enum PropertyListFile {
    /// Reads the dictionary in a file, in XML or binary form. Adds the file's size to `size`.
    static func read(
        _ path: String, maximumSize: Int, size: inout Int
    ) throws(BoundedFile.Failure) -> [String: Any] {
        let data = try BoundedFile.read(path, maximumSize: maximumSize)
        size += data.count
        return try dictionary(in: data)
    }

    static func dictionary(in data: Data) throws(BoundedFile.Failure) -> [String: Any] {
        let value: Any
        if BinaryPropertyList.isClaimed(by: data) {
            guard let list = BinaryPropertyList(data)?.value else {
                throw BoundedFile.Failure(sentence: "is not a well-formed binary property list")
            }
            value = list
        } else {
            guard isXML(data) else { throw BoundedFile.Failure(sentence: "is not a property list") }
            do {
                value = try PropertyListSerialization.propertyList(from: data, format: nil)
            } catch {
                let reason = (error as NSError).userInfo["NSDebugDescription"] as? String
                throw BoundedFile.Failure(
                    sentence: "is not a well-formed property list" + (reason.map { " (\($0))" } ?? ""))
            }
        }
        guard let dictionary = value as? [String: Any] else {
            throw BoundedFile.Failure(sentence: "holds no dictionary")
        }
        return dictionary
    }

    /// Returns true if the file begins as XML does; the text form without tags is not accepted.
    private static func isXML(_ data: Data) -> Bool {
        let marks: [UInt8] = [0xEF, 0xBB, 0xBF, 0x09, 0x0A, 0x0D, 0x20]
        return data.first { !marks.contains($0) } == UInt8(ascii: "<")
    }
}
