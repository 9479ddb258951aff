import PortolanFiles
import PortolanProtocol

/// Forms of an item at the time it was listed and chosen; the received form must be one of them.
struct ListedForms: Sendable {
    private let forms: [SharedItem.Form]

    init(_ item: SharedItem) { forms = item.forms }

    /// True if an offered representation is a kind of a listed form.
    func include(_ offered: OfferedRepresentation) -> Bool { forms.contains { $0.includes(offered) } }

    /// Name under which a representation is stored. A name that was not listed gets the extension of the listed type.
    ///
    /// - Parameter proposed: the peer's name.
    func name(for offered: OfferedRepresentation, proposed: FileName) -> FileName {
        let listed = forms.filter { $0.includes(offered) }
        guard !offered.isFolder, !listed.contains(where: { $0.fileName == proposed }) else { return proposed }
        guard let form = listed.first(where: { $0.type.identifier == offered.type.identifier }) ?? listed.first else {
            return proposed
        }
        return proposed.having(extensionOf: form.type.localType) ?? form.fileName ?? proposed
    }
}

extension SharedItem.Form {
    fileprivate func includes(_ offered: OfferedRepresentation) -> Bool {
        guard isFolder == offered.isFolder else { return false }
        return offered.type.identifier == type.identifier
            || type.localType.map { offered.type.conforms(to: $0) } ?? false
    }

    fileprivate var fileName: FileName? {
        suggestedName.map { FileName.sanitised(fromLocal: Array($0.utf8)) }
    }
}
