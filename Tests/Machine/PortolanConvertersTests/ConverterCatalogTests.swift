import Foundation
import Testing
import UniformTypeIdentifiers

@testable import PortolanConverters

@Suite struct ConverterCatalogTests {
    let workshop = Workshop()

    init() { workshop.tool("tool", "exit 0") }

    private func forms(_ converters: [Converter], for types: [UTType], limit: Int = 8) -> [String] {
        ConverterCatalog(converters, tools: workshop.tools).forms(for: types, limit: limit).map {
            "\($0.sourceIndex) \($0.type)"
        }
    }

    @Test func converterAppliesToConformingTypes() {
        let converters = [converter(from: .image, to: .png)]
        #expect(forms(converters, for: [.svg]) == ["0 public.png"])
        #expect(forms(converters, for: [.plainText, .heic]) == ["1 public.png"])
        #expect(forms(converters, for: [.plainText]).isEmpty)
        #expect(forms([converter(from: .heic, to: .png)], for: [.image]).isEmpty)
    }

    @Test func existingTypesAreNotMade() {
        #expect(forms([converter(from: .image, to: .png)], for: [.svg, .png]).isEmpty)
        #expect(forms([converter(from: .html, to: .plainText)], for: [.html, .utf8PlainText]).isEmpty)
    }

    @Test func noTypeIsMadeTwiceOrFromAConvertedForm() {
        let converters = [
            converter(["tool", "first"], from: .svg, to: .png), converter(["tool", "second"], from: .image, to: .png),
            converter(from: .png, to: .jpeg),
        ]
        #expect(forms(converters, for: [.svg, .heic]) == ["0 public.png"])
        let catalog = ConverterCatalog(converters, tools: workshop.tools)
        #expect(catalog.forms(for: [.svg, .heic]).first?.converter.command == ["tool", "first"])
    }

    @Test func orderFollowsTheItemThenTheConverters() {
        let converters = [
            converter(from: .heic, to: .jpeg), converter(from: .svg, to: .pdf), converter(from: .svg, to: .png),
        ]
        #expect(forms(converters, for: [.svg, .heic]) == ["0 com.adobe.pdf", "0 public.png", "1 public.jpeg"])
        #expect(forms(converters, for: [.svg, .heic], limit: 2) == ["0 com.adobe.pdf", "0 public.png"])
    }

    @Test func onlyInstalledProgramsCount() {
        workshop.file("tools/not-executable")
        #expect(mkdir("\(workshop.path)/tools/folder", 0o755) == 0)
        let missing = ["missing", "not-executable", "folder", "/no/such/tool"].map {
            converter([$0], from: .svg, to: .png)
        }
        let present = converter(["\(workshop.path)/tools/tool"], from: .svg, to: .png)
        let catalog = ConverterCatalog(missing + [present], tools: workshop.tools)
        #expect(catalog.active == [present])
        #expect(catalog.forms(for: [.svg]).map(\.converter) == [present])
        unlink("\(workshop.path)/tools/tool")
        #expect(catalog.forms(for: [.svg]).isEmpty)
    }

    @Test func relativeFoldersOfThePathAreNotSearched() {
        #expect(ToolSearch(path: ".:/usr/bin::bin:/bin").folders == ["/usr/bin", "/bin"])
    }
}
