import Glibc
import PortolanFiles
import PortolanValues

/// Digests content piece by piece: calls its argument until that returns nil, and returns the digest (SHA-256, say) of
/// all pieces.
package typealias ContentDigestFunction = @Sendable (_ next: () throws -> [UInt8]?) throws -> [UInt8]

/// The open source file, checked to be unchanged at the end.
struct SourceContent: Sendable {
    private static let pieceSize = 1 << 20

    private let file: Descriptor
    private let subject: ConversionSubject
    private let seen: FileStatus
    /// Permission bits for what is made of it: who may read the source may read that. Only its owner may write it.
    let mode: mode_t

    init(_ path: String, of subject: ConversionSubject) throws(ConverterError) {
        // O_NONBLOCK: opening a pipe would wait for its other end.
        let number = retrying { open(path.pathBytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard number >= 0 else {
            throw subject.error(.sourceUnreadable, "“\(DisplayText(path))” cannot be read: \(SystemFailure.last.text)")
        }
        file = Descriptor(owning: number)
        self.subject = subject
        guard let status = try? KernelStorage().status(of: file), status.kind == .file else {
            throw subject.error(.sourceUnreadable, "“\(DisplayText(path))” is no file")
        }
        // Content that the program cannot hold is not read to find that out.
        guard status.size < subject.converter.memoryLimit else {
            throw subject.error(.sizeLimit, "the content is larger than what it can hold in memory")
        }
        seen = status
        mode = 0o600 | mode_t(status.mode) & 0o044
    }

    /// Computes the digest of `prefix` and the content.
    func digest(
        after prefix: [UInt8], with digest: ContentDigestFunction, until stop: StopRequest
    ) throws(ConverterError) -> [UInt8] {
        var offset: Int? = nil
        do {
            return try digest {
                guard let start = offset else {
                    offset = 0
                    return prefix
                }
                let piece = try piece(at: start, until: stop)
                offset = start + piece.count
                return piece.isEmpty ? nil : piece
            }
        } catch let error as ConverterError {
            throw error
        } catch {
            throw subject.error(.inputOutput, "its content could not be digested: \(error)")
        }
    }

    /// Copies the content to `target`, by reference if the file system can.
    func copy(to target: Descriptor, until stop: StopRequest) throws(ConverterError) {
        do throws(SystemFailure) {
            try ContentCopy(to: target, interruption: stop).copy(file, ofSize: seen.size, to: target)
        } catch {
            if error == .interrupted { throw subject.cancelled }
            // A file that was cut off meanwhile ends before its size.
            try confirmUnchanged()
            throw subject.error("copying the content", error)
        }
    }

    /// Throws if the file was written to since it was opened.
    func confirmUnchanged() throws(ConverterError) {
        let now = try? KernelStorage().status(of: file)
        guard now?.size == seen.size, now?.modified == seen.modified, now?.changed == seen.changed else {
            throw subject.error(.sourceChanged, "the content was changed meanwhile; try again")
        }
    }

    private func piece(at offset: Int, until stop: StopRequest) throws(ConverterError) -> [UInt8] {
        if stop.isRequested { throw subject.cancelled }
        var failure: SystemFailure?
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, filled in
            let count = retrying { pread(file.number, buffer.baseAddress, buffer.count, offset) }
            if count < 0 { failure = .last }
            filled = max(0, count)
        }
        if let failure { throw subject.error("reading the content", failure) }
        return piece
    }
}
