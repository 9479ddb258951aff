import CoreTransferable
import Foundation
import HeadlessGraphics
import Synchronization
import TransferableRichText
import UniformTypeIdentifiers

extension FuzzTarget {
    /// Content of items that is read here: rich text, headers of pictures, colours, and the names of types.
    static let contents = FuzzTarget("contents") { input in
        let kind = input.number(below: 6)
        let bytes = input.rest()
        switch kind {
        case 0, 1: ContentFuzzer.read(AttributedString.self, .rtf, bytes)
        case 2: ContentFuzzer.read(AttributedString.self, .flatRTFD, bytes)
        case 3:
            if let image = try? Image(data: Data(bytes)) {
                if let size = image.pixelSize {
                    require(size.width > 0 && size.height > 0, "A picture of nothing")
                } else {
                    require(!image.isConvertibleToPNG, "A picture that is decoded without a look at its size")
                }
            }
        case 4:
            let text = String(decoding: bytes, as: UTF8.self)
            _ = try? Color(hexadecimal: text)
            _ = try? JSONDecoder().decode(Color.self, from: Data(bytes))
        default:
            guard let type = UTType(String(decoding: bytes, as: UTF8.self)) else { return }
            _ = (type.tags, type.supertypes, type.conforms(to: .image), type.localizedDescription, type.description)
        }
    }
}

private enum ContentFuzzer {
    /// Imports as a program does that is given these bytes.
    static func read<Value: Transferable & Sendable>(_ value: Value.Type, _ type: UTType, _ bytes: [UInt8]) {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            _ = try? await Value(importing: Data(bytes), contentType: type)
            isDone.signal()
        }
        isDone.wait()
    }
}
