// Declarations of CoreTransferable that Coverage.md lists as present, by their exact labels and types. The proof is
// that this file compiles; typical representations of programs are in SourceForms*.swift, and their behaviour in the
// tests beside them.
import CoreTransferable

struct Sample: Codable, Transferable {
    var text = ""

    static var transferRepresentation: some TransferRepresentation {
        ProxyRepresentation(exporting: \.text)
    }
}

typealias Export<Form> = @Sendable (Sample) async throws -> Form
typealias Import<Form> = @Sendable (Form) async throws -> Sample
typealias PlainExport<Form> = @Sendable (Sample) throws -> Form
typealias PlainImport<Form> = @Sendable (Form) throws -> Sample

/// Uses of every member of the protocols by generic code.
enum ProtocolDeclarations {
    static func transferable<Item: Transferable>(_ item: Item.Type) -> Item.Representation {
        sendable(item)
        return Item.transferRepresentation
    }

    static func representation<Form: TransferRepresentation<Sample>>(_ form: Form) -> Form.Body
    where Form.Item == Sample {
        sendable(Form.self)
        return form.body
    }

    static func never() {
        let _: any Transferable.Type = Never.self
        let _: any TransferRepresentation<Never>.Type = Never.self
        let _: Never.Type = Never.Body.self
        let _: KeyPath<Never, Never> = \Never.body
    }

    static func encoder<Encoder: TopLevelEncoder>(_ encoder: Encoder) -> (Sample) throws -> Encoder.Output {
        encoder.encode(_:)
    }

    static func decoder<Decoder: TopLevelDecoder>(
        _ decoder: Decoder
    ) -> (Sample.Type, Decoder.Input) throws -> Sample {
        decoder.decode(_:from:)
    }

    static func coders() {
        let _: [any TopLevelEncoder] = [JSONEncoder(), PropertyListEncoder()]
        let _: [any TopLevelDecoder] = [JSONDecoder(), PropertyListDecoder()]
    }

    private static func sendable<Value: Sendable>(_ type: Value.Type) {}
}

enum BuilderDeclarations {
    typealias Builder = TransferRepresentationBuilder<Sample>
    typealias Form = DataRepresentation<Sample>
    typealias Tuple<Forms: Sendable> = TupleTransferRepresentation<Sample, Forms>
    typealias Coded = CodableRepresentation<Sample, JSONEncoder, JSONDecoder>

    static func expressions() {
        let _: (Form) -> Form = Builder.buildExpression(_:)
        let _: (Coded) -> Coded = Builder.buildExpression(_:)
        let _: (Form) -> Form = Builder.buildBlock(_:)
    }

    static func blocks(_ f: Form) {
        let two: Tuple<(Form, Form)> = Builder.buildBlock(f, f)
        let _: Tuple<(Form, Form, Form)> = Builder.buildBlock(f, f, f)
        let _: Tuple<(Form, Form, Form, Form)> = Builder.buildBlock(f, f, f, f)
        let _: Tuple<(Form, Form, Form, Form, Form)> = Builder.buildBlock(f, f, f, f, f)
        let _: Tuple<(Form, Form, Form, Form, Form, Form)> = Builder.buildBlock(f, f, f, f, f, f)
        let _: Tuple<(Form, Form, Form, Form, Form, Form, Form)> = Builder.buildBlock(f, f, f, f, f, f, f)
        let _: Tuple<(Form, Form, Form, Form, Form, Form, Form, Form)> = Builder.buildBlock(f, f, f, f, f, f, f, f)
        let _: Tuple<(Form, Form, Form, Form, Form, Form, Form, Form, Form)> =
            Builder.buildBlock(f, f, f, f, f, f, f, f, f)
        let _: Tuple<(Form, Form, Form, Form, Form, Form, Form, Form, Form, Form)> =
            Builder.buildBlock(f, f, f, f, f, f, f, f, f, f)
        let _: any TransferRepresentation<Sample> = two.body
    }
}

enum RepresentationDeclarations {
    static func codable() {
        typealias JSON = CodableRepresentation<Sample, JSONEncoder, JSONDecoder>
        typealias List = CodableRepresentation<Sample, PropertyListEncoder, PropertyListDecoder>
        let _: Never.Type = JSON.Body.self
        let _: (Sample.Type, UTType) -> JSON = JSON.init(for:contentType:)
        let _: (Sample.Type, UTType, PropertyListEncoder, PropertyListDecoder) -> List =
            List.init(for:contentType:encoder:decoder:)
    }

    static func data() {
        typealias Form = DataRepresentation<Sample>
        let _: Never.Type = Form.Body.self
        let _: (UTType, @escaping Export<Data>, @escaping Import<Data>) -> Form =
            Form.init(contentType:exporting:importing:)
        let _: (UTType, @escaping Export<Data>) -> Form = Form.init(exportedContentType:exporting:)
        let _: (UTType, @escaping Import<Data>) -> Form = Form.init(importedContentType:importing:)
    }

    static func file() {
        typealias Form = FileRepresentation<Sample>
        typealias Sent = SentTransferredFile
        typealias Received = ReceivedTransferredFile
        let _: Never.Type = Form.Body.self
        let _: (UTType, Bool, @escaping Export<Sent>, @escaping Import<Received>) -> Form =
            Form.init(contentType:shouldAttemptToOpenInPlace:exporting:importing:)
        let _: (UTType, Bool, @escaping Export<Sent>) -> Form =
            Form.init(exportedContentType:shouldAllowToOpenInPlace:exporting:)
        let _: (UTType, Bool, @escaping Import<Received>) -> Form =
            Form.init(importedContentType:shouldAttemptToOpenInPlace:importing:)
        let _: (URL, Bool) -> Sent = SentTransferredFile.init(_:allowAccessingOriginalFile:)
        let _: KeyPath<Sent, URL> = \SentTransferredFile.file
        let _: KeyPath<Sent, Bool> = \SentTransferredFile.allowAccessingOriginalFile
        let _: KeyPath<Received, URL> = \ReceivedTransferredFile.file
        let _: KeyPath<Received, Bool> = \ReceivedTransferredFile.isOriginalFile
    }

    static func proxy() {
        typealias Form = ProxyRepresentation<Sample, String>
        let _: Never.Type = Form.Body.self
        let _: (@escaping PlainImport<String>) -> Form = Form.init(importing:)
        let _: (@escaping Import<String>) -> Form = Form.init(importing:)
        let _: (@escaping PlainExport<String>) -> Form = Form.init(exporting:)
        let _: (@escaping PlainExport<String>, @escaping PlainImport<String>) -> Form = Form.init(exporting:importing:)
        let _: (@escaping PlainExport<String>, @escaping Import<String>) -> Form = Form.init(exporting:importing:)
    }

    @available(*, deprecated)
    static func deprecatedProxy() {
        typealias Form = ProxyRepresentation<Sample, String>
        let _: (@escaping Export<String>) -> Form = Form.init(exporting:)
        let _: (@escaping Export<String>, @escaping Import<String>) -> Form = Form.init(exporting:importing:)
    }

    static func modifiers(_ form: DataRepresentation<Sample>) {
        typealias Conditional = _ConditionalTransferRepresentation<DataRepresentation<Sample>>
        let _: Never.Type = Conditional.Body.self
        let _: (@escaping @Sendable (Sample) -> Bool) -> Conditional = form.exportingCondition(_:)
        let _: any TransferRepresentation<Sample> = form.visibility(.all)
        let _: any TransferRepresentation<Sample> = form.suggestedFileName("sample.txt")
        let name: @Sendable (Sample) -> String? = { _ in nil }
        let _: any TransferRepresentation<Sample> = form.suggestedFileName(name)
        let _: Set<Bool> = [
            TransferRepresentationVisibility.all == .team, TransferRepresentationVisibility.group == .ownProcess,
        ]
    }
}

enum ValueDeclarations {
    static func types() {
        let _: (TransferRepresentationVisibility) -> [UTType] = Sample.exportedContentTypes(visibility:)
        let _: () -> [UTType] = Sample.importedContentTypes
        let _: [UTType] = Sample.exportedContentTypes() + Sample.importedContentTypes()
    }

    static func values(_ sample: Sample) {
        let _: (TransferRepresentationVisibility) -> [UTType] = sample.exportedContentTypes(_:)
        let _: [UTType] = sample.exportedContentTypes() + sample.importedContentTypes()
        let _: (Data, UTType?) async throws -> Sample = Sample.init(importing:contentType:)
        let _: (URL, UTType?) async throws -> Sample = Sample.init(importing:contentType:)
        let _: (UTType?) async throws -> Data = sample.exported(as:)
        let _: (URL, UTType?) async throws -> URL = sample.export(to:contentType:)
        let _: nonisolated(nonsending) (UTType?, (URL) async throws -> Int) async throws -> Int =
            sample.withExportedFile(contentType:fileHandler:)
        let _: KeyPath<Sample, String?> = \Sample.suggestedFilename
    }

    static func builtIn() {
        let _: [any Transferable.Type] = [String.self, Data.self, URL.self]
    }
}
