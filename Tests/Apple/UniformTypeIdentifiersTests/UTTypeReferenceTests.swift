import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("UTTypeReference")
struct UTTypeReferenceTests {
    @Test("has the properties of its type")
    func members() throws {
        let png = try #require(UTTypeReference("public.png"))
        #expect(png.identifier == "public.png" && png.preferredFilenameExtension == "png")
        #expect(png.preferredMIMEType == "image/png" && png.isDeclared && !png.isDynamic && png.isPublic)
        #expect(png.conforms(to: UTTypeReference(.image)) && UTTypeReference(.image).isSupertype(of: png))
        #expect(png.isSubtype(of: UTTypeReference(.data)) && png.supertypes.contains(UTTypeReference(.image)))
        #expect(png.tags == UTType.png.tags && png.localizedDescription == UTType.png.localizedDescription)
        #expect(png.version == nil && png.referenceURL == nil && UTTypeReference("no.such.type") == nil)
        #expect(
            UTTypeReference(filenameExtension: "jpg")?.type == .jpeg
                && UTTypeReference(mimeType: "text/plain")?.type == .plainText)
        #expect(
            UTTypeReference(tag: "app", tagClass: .filenameExtension, conformingTo: nil)?.type == .applicationBundle)
        #expect(UTTypeReference.types(tag: "png", tagClass: .filenameExtension, conformingTo: nil).first == png)
        #expect(UTTypeReference(identifier: "no.such.type", allowUndeclared: true)?.identifier == "no.such.type")
        #expect(UTTypeReference(identifier: "no.such.type", allowUndeclared: false) == nil)
        #expect(UTTypeReference(importedAs: "public.png") == png && UTTypeReference(exportedAs: "public.png") == png)
    }

    @Test("is equal by its type, is its own copy, and is bridged")
    func identity() {
        let (one, other) = (UTTypeReference(.png), UTTypeReference(.png))
        #expect(
            one.isEqual(other) && one.hash == other.hash && !one.isEqual(UTTypeReference(.jpeg)) && !one.isEqual(nil))
        #expect(one.copy() as? UTTypeReference === one)
        #expect(UTType._unconditionallyBridgeFromObjectiveC(UTType.png._bridgeToObjectiveC()) == .png)
        #expect("\(one)" == "public.png")
    }

    @Test("survives a secure archive, and an archive of something else gives nothing")
    func archiving() throws {
        for type in [UTType.png, try #require(UTType(identifier: "org.example.elsewhere", allowUndeclared: true))] {
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: UTTypeReference(type), requiringSecureCoding: true)
            #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: UTTypeReference.self, from: data)?.type == type)
        }
    }
}
