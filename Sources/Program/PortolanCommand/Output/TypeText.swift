import Portolan

/// Text about a content type.
enum TypeText {
    static func full(_ type: UTType) -> String {
        let title = [type.identifier, type.localizedDescription].compactMap(\.self)
        var lines = [title.map { DisplayText($0).text }.joined(separator: "  ")]
        func line(_ name: String, _ values: [String]) {
            guard !values.isEmpty else { return }
            let padded = name + String(repeating: " ", count: 14 - name.count)
            lines.append("  \(padded)\(DisplayText(values.joined(separator: ", "), limit: 4000))")
        }
        line("conforms to", type.orderedSupertypes.map(\.identifier))
        line("extensions", type.tags[.filenameExtension] ?? [])
        line("MIME types", type.tags[.mimeType] ?? [])
        line("version", type.version.map { ["\($0)"] } ?? [])
        line("reference", type.referenceURL.map { [$0.absoluteString] } ?? [])
        line("declared", [declared(type)])
        return lines.joined(separator: "\n")
    }

    private static func declared(_ type: UTType) -> String {
        guard type.isDeclared else {
            return type.isDynamic ? "nowhere; its identifier says what it stands for" : "nowhere on this machine"
        }
        return file(type).map { "in \($0)" } ?? "in the table that comes with portolan"
    }

    private static func file(_ type: UTType) -> String? {
        guard case .file(let path)? = TypeRegistry.shared.declared(type)?.origin else { return nil }
        return path
    }

    /// - Parameter path: the file it is the type of, if it was asked for one.
    static func event(_ type: UTType, of path: String? = nil) -> NodeEvent {
        NodeEvent(\.type, .init(type, declaredIn: file(type), of: path))
    }
}
