import PortolanControls

struct Recipe: Codable, Transferable {
    var title: String
    var steps: [String]

    static var type: UTType { UTType(exportedAs: "com.example.recipe", conformingTo: .json) }

    static var transferRepresentation: some TransferRepresentation {
        CodableRepresentation(contentType: type)
        ProxyRepresentation(exporting: \.title)
    }
}
