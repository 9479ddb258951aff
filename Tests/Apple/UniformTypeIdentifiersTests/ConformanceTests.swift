import Testing
import UniformTypeIdentifiers

@Suite("Conformance")
struct ConformanceTests {
    @Test("32. conforms(to:) includes the type itself, isSubtype and isSupertype do not")
    func reflexivity() {
        #expect(UTType.png.conforms(to: .png))
        #expect(!UTType.png.isSubtype(of: .png) && !UTType.png.isSupertype(of: .png))
        #expect(UTType.png.isSubtype(of: .image) && UTType.image.isSupertype(of: .png))
        #expect(!UTType.image.conforms(to: .png))
    }

    @Test("32. Supertypes are everything above and not the type itself")
    func supertypes() {
        #expect(UTType.png.supertypes == [.image, .data, .content, .item])
        #expect(UTType.item.supertypes.isEmpty)
    }

    @Test("Ordered supertypes are nearest first, parents in declared order")
    func order() {
        #expect(UTType.png.orderedSupertypes.first == .image)
        #expect(UTType.pdf.orderedSupertypes == [.data, .compositeContent, .item, .content])
        for type in [UTType.markdown, .swiftSource, .applicationBundle, .usdz] {
            #expect(Set(type.orderedSupertypes) == type.supertypes)
            #expect(type.orderedSupertypes.count == type.supertypes.count)
        }
    }

    @Test("Text, pictures, films and folders have their expected supertypes")
    func wellKnownRelations() {
        #expect(UTType.swiftSource.conforms(to: .sourceCode) && UTType.swiftSource.conforms(to: .plainText))
        #expect(UTType.markdown.conforms(to: .utf8PlainText) && UTType.markdown.conforms(to: .data))
        #expect(UTType.heic.conforms(to: .image) && UTType.mpeg4Movie.conforms(to: .movie))
        #expect(UTType.folder.conforms(to: .directory) && !UTType.folder.conforms(to: .data))
        #expect(UTType.package.conforms(to: .directory) && !UTType.applicationBundle.conforms(to: .data))
        #expect(UTType.url.conforms(to: .data) && UTType.fileURL.conforms(to: .url))
    }

    @Test("A type can be switched over")
    func patternMatching() {
        let matched =
            switch UTType(filenameExtension: "png") {
            case .png?: true
            default: false
            }
        #expect(matched)
    }
}

@Suite("Types declared at run time")
struct RuntimeDeclarationTests {
    @Test("An exported type keeps its identifier and conforms to its parent")
    func exported() {
        #expect(UTType("com.example.tests.recipe") == nil)
        let recipe = UTType(exportedAs: "com.example.tests.recipe", conformingTo: .json)
        #expect(recipe.identifier == "com.example.tests.recipe")
        #expect(recipe.conforms(to: .json) && recipe.conforms(to: .text) && recipe.conforms(to: .data))
        #expect(recipe.isDeclared && !recipe.isDynamic && !recipe.isPublic && recipe.tags.isEmpty)
        #expect(UTType("com.example.tests.recipe") == recipe)
    }

    @Test("A type declared without a parent is data")
    func parentless() {
        #expect(UTType(exportedAs: "com.example.tests.parentless").supertypes == [.data, .item])
    }

    @Test("The owner's declaration replaces the one of a program that merely knows the type")
    func ownership() {
        let imported = UTType(importedAs: "com.example.tests.owned", conformingTo: .text)
        #expect(imported.conforms(to: .text))
        let exported = UTType(exportedAs: "com.example.tests.owned", conformingTo: .image)
        #expect(exported == imported && imported.conforms(to: .image) && !imported.conforms(to: .text))
        _ = UTType(importedAs: "com.example.tests.owned", conformingTo: .text)
        #expect(exported.conforms(to: .image))
    }

    @Test("A parent stated later completes a declaration without one, and is not taken back")
    func completion() {
        let type = UTType(exportedAs: "com.example.tests.completed")
        _ = UTType(exportedAs: "com.example.tests.completed", conformingTo: .json)
        #expect(type.conforms(to: .json))
        _ = UTType(exportedAs: "com.example.tests.completed", conformingTo: .image)
        #expect(type.conforms(to: .json) && !type.conforms(to: .image))
    }

    @Test("A built-in type stays as it is")
    func builtIn() {
        #expect(UTType(exportedAs: "public.png", conformingTo: .text) == .png)
        #expect(!UTType.png.conforms(to: .text))
    }

    @Test("Types that were declared to conform to each other end the walk")
    func loops() throws {
        let later = try #require(UTType(identifier: "com.example.tests.loop-b", allowUndeclared: true))
        let first = UTType(exportedAs: "com.example.tests.loop-a", conformingTo: later)
        let second = UTType(exportedAs: "com.example.tests.loop-b", conformingTo: first)
        #expect(first.supertypes == [second] && second.supertypes == [first])
        #expect(!first.isSubtype(of: first))
    }
}
