import UniformTypeIdentifiers

extension FuzzTarget {
    /// The cache of shared-mime-info, which any program of this user may have written, with one question about a name
    /// and one about a MIME type.
    static let types = FuzzTarget("types") { input in
        let name = String(decoding: input.piece(), as: UTF8.self)
        let type = String(decoding: input.piece(), as: UTF8.self)
        guard let information = SharedMIMEInfo(cache: input.rest()) else { return }
        let known = information.types(ofExtension: name) + information.types(ofFileNamed: name)
        for type in [type] + known.prefix(4) {
            let names = information.names(of: type)
            require(names.first == information.canonicalName(of: type), "The first name is another one")
            require(Set(names).count == names.count, "A name is there twice")
            _ = information.ancestors(of: type)
            for filenameExtension in information.extensions(of: type).prefix(4) {
                require(filenameExtension == filenameExtension.lowercased(), "An extension in capitals")
                _ = information.types(ofExtension: filenameExtension)
            }
            _ = information.knows(type)
        }
    }
}
