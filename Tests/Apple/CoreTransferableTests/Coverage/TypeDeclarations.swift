// Declarations of UniformTypeIdentifiers that Coverage.md lists as present, by their exact labels and types. The 141
// constants are in Constants.swift of that module's tests.
import CoreTransferable

// A single declaration can be imported, but not a submodule.
import struct UniformTypeIdentifiers.UTType

enum UTTypeDeclarations {
    static func initializers() {
        let _: (String) -> UTType? = UTType.init(_:)
        let _: (String, Bool) -> UTType? = UTType.init(identifier:allowUndeclared:)
        let _: (String, UTType) -> UTType? = UTType.init(filenameExtension:conformingTo:)
        let _: (String, UTType) -> UTType? = UTType.init(mimeType:conformingTo:)
        let _: (String, UTTagClass, UTType?) -> UTType? = UTType.init(tag:tagClass:conformingTo:)
        let _: (String, UTTagClass, UTType?) -> [UTType] = UTType.types(tag:tagClass:conformingTo:)
        let _: (String, UTType?) -> UTType = UTType.init(exportedAs:conformingTo:)
        let _: (String, UTType?) -> UTType = UTType.init(importedAs:conformingTo:)
    }

    static func members(_ type: UTType) {
        let _: [KeyPath<UTType, String>] = [\.identifier, \.description, \.debugDescription]
        let _: [KeyPath<UTType, String?>] = [
            \.preferredFilenameExtension, \.preferredMIMEType, \.localizedDescription,
        ]
        let _: KeyPath<UTType, Int?> = \.version
        let _: KeyPath<UTType, URL?> = \.referenceURL
        let _: [KeyPath<UTType, Bool>] = [\.isDynamic, \.isDeclared, \.isPublic]
        let _: KeyPath<UTType, Set<UTType>> = \.supertypes
        let _: KeyPath<UTType, [UTTagClass: [String]]> = \.tags
        let _: (UTType) -> Bool = type.conforms(to:)
        let _: (UTType) -> Bool = type.isSupertype(of:)
        let _: (UTType) -> Bool = type.isSubtype(of:)
    }

    static func conformances(_ type: UTType) {
        let _: any Hashable & Sendable & CustomStringConvertible & CustomDebugStringConvertible = type
        let _: (any Decoder) throws -> UTType = UTType.init(from:)
        let _: (any Encoder) throws -> Void = type.encode(to:)
        func bridged<Value: ReferenceConvertible>(_: Value.Type) -> Value.ReferenceType.Type {
            Value.ReferenceType.self
        }
        let _: UTTypeReference.Type = bridged(UTType.self)
        switch type {
        case .png: break
        default: break
        }
    }
}

enum UTTagClassDeclarations {
    static func all(_ tagClass: UTTagClass) {
        let _: (String) -> UTTagClass = UTTagClass.init(rawValue:)
        let _: [KeyPath<UTTagClass, String>] = [\.rawValue, \.description, \.debugDescription]
        let _: [UTTagClass] = [.filenameExtension, .mimeType]
        let _:
            any RawRepresentable<String> & Hashable & Sendable & Codable & CustomStringConvertible
                & CustomDebugStringConvertible = tagClass
    }
}

enum PathDeclarations {
    static func all(_ path: NSString, _ url: inout URL) {
        let _: (String, UTType) -> URL = url.appendingPathComponent(_:conformingTo:)
        let _: (UTType) -> URL = url.appendingPathExtension(for:)
        url.appendPathComponent("component", conformingTo: .png)
        url.appendPathExtension(for: .png)
        let _: (String, UTType) -> String = path.appendingPathComponent(_:conformingTo:)
        let _: (UTType) -> String = path.appendingPathExtension(for:)
    }

    // Declared as unavailable, so that it is usable only in unavailable code.
    @available(*, unavailable)
    static func strings(_ path: String) {
        let _: (String, UTType) -> String = path.appendingPathComponent(_:conformingTo:)
        let _: (UTType) -> String = path.appendingPathExtension(for:)
    }
}

enum UTTypeReferenceDeclarations {
    typealias Reference = UTTypeReference

    static func initializers() {
        let _: (String) -> Reference? = Reference.init(_:)
        let _: (String, Bool) -> Reference? = Reference.init(identifier:allowUndeclared:)
        let _: (String, Reference) -> Reference? = Reference.init(filenameExtension:conformingTo:)
        let _: (String, Reference) -> Reference? = Reference.init(mimeType:conformingTo:)
        let _: (String, UTTagClass, Reference?) -> Reference? = Reference.init(tag:tagClass:conformingTo:)
        let _: (String, UTTagClass, Reference?) -> [Reference] = Reference.types(tag:tagClass:conformingTo:)
        let _: (String, Reference?) -> Reference = Reference.init(exportedAs:conformingTo:)
        let _: (String, Reference?) -> Reference = Reference.init(importedAs:conformingTo:)
    }

    static func members(_ reference: Reference) {
        let _: KeyPath<Reference, String> = \.identifier
        let _: [KeyPath<Reference, String?>] = [
            \.preferredFilenameExtension, \.preferredMIMEType, \.localizedDescription,
        ]
        let _: KeyPath<Reference, Int?> = \.version
        let _: KeyPath<Reference, URL?> = \.referenceURL
        let _: [KeyPath<Reference, Bool>] = [\.isDynamic, \.isDeclared, \.isPublic]
        let _: KeyPath<Reference, Set<Reference>> = \.supertypes
        let _: KeyPath<Reference, [UTTagClass: [String]]> = \.tags
        let _: (Reference) -> Bool = reference.conforms(to:)
        let _: (Reference) -> Bool = reference.isSupertype(of:)
        let _: (Reference) -> Bool = reference.isSubtype(of:)
        let _: any NSCopying & NSSecureCoding = reference
    }
}
