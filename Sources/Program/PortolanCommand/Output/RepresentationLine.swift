import Portolan

/// Line about a representation before it is offered.
enum RepresentationLine {
    static func text(_ view: RepresentationView) -> String {
        let size = view.isFolder ? "folder" : view.size.map(Human.size) ?? "size not known in advance"
        let name = view.suggestedName.map { "  “\(DisplayText($0))”" } ?? ""
        let made = view.converter.map { ", made by \(DisplayText($0)) when it is taken" } ?? ""
        return "   \(view.position.map { "\($0 + 1)." } ?? "- ") \(view.contentType.identifier)\(name)  \(size)\n"
            + "      \(DisplayText(view.audience, limit: 4500)): \(view.isShown ? "shown" : "hidden"), \(view.reason)\(made)"
    }

    static func text(_ view: PictureView) -> String {
        "   \(view.role.rawValue): \(view.isShown ? "shown" : "left out"), \(view.reason)"
    }
}
