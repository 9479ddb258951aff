import PortolanSyncPlan

/// Text of the marker in its file.
extension Marker {
    /// Text of one length, so that a later marker is written over it.
    package var text: String {
        "portolan-sync 1\nepoch \(Self.filled(String(epoch, radix: 16), to: 16))\n"
            + "generation \(Self.filled(String(generation), to: 20))\n"
    }

    private static func filled(_ number: String, to length: Int) -> String {
        String(repeating: "0", count: length - number.utf8.count) + number
    }

    /// - Returns: nil unless the text is a marker.
    package init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0] == "portolan-sync 1", lines[1].hasPrefix("epoch "),
            lines[2].hasPrefix("generation "), let epoch = UInt64(lines[1].dropFirst(6), radix: 16),
            let generation = UInt64(lines[2].dropFirst(11)), lines[3].isEmpty
        else { return nil }
        self.init(epoch: epoch, generation: generation)
    }
}
