import CoreTransferable
import Testing

// Asynchronous methods of programs, which Apple's systems lack, with the same names as in this module.
extension NSItemProvider {
    fileprivate func loadObject<T>(
        ofClass aClass: T.Type
    ) async throws -> T? where T: _ObjectiveCBridgeable & Sendable, T._ObjectiveCType: NSItemProviderReading {
        try await withCheckedThrowingContinuation { continuation in
            _ = loadObject(ofClass: T.self) { object, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: object) }
            }
        }
    }

    fileprivate func loadTransferable<T: Transferable>(type: T.Type) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            _ = loadTransferable(type: type) { continuation.resume(with: $0) }
        }
    }

    fileprivate func loadDataRepresentation(for contentType: UTType) async -> Data? {
        await withCheckedContinuation { continuation in
            loadDataRepresentation(for: contentType) { data, _ in continuation.resume(returning: data) }
        }
    }
}

@MainActor
@Suite("A program's own asynchronous methods on item providers")
struct OwnTwinTests {
    @Test("are the ones that it calls")
    func unambiguous() async throws {
        let provider = NSItemProvider(object: NSString(string: "x"))
        let text = try await provider.loadObject(ofClass: String.self)
        #expect(text == "x")
        #expect(try await provider.loadTransferable(type: String.self) == "x")
        let data: Data? = await provider.loadDataRepresentation(for: .text)
        #expect(data == Data("x".utf8))
        let none: Data? = await provider.loadDataRepresentation(for: .png)
        #expect(none == nil)
        // Methods of this module, on the main actor.
        #expect(try await provider.loadObject(ofClass: NSString.self).length == 1)
        #expect(try await provider.loadItem(forTypeIdentifier: "public.text") is NSData)
    }
}
