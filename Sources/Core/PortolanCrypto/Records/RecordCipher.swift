// BoringSSL as swift-crypto carries it. Its public `AES.GCM.seal` answers with a fresh `Data` for the ciphertext and
// another for the whole box: for records of 1 MiB that is two copies and some 480 page faults each, and a ninth of the
// speed (measured: 0.8 against 7.2 GB/s). Only the C interface below it seals in place, so this file, and with it
// `RecordSuite.hardware`, uses that; tests compare it with the public interface.
internal import CCryptoBoringSSL

/// A key of a cipher suite that seals and opens records in place.
struct RecordCipher: ~Copyable, Sendable {
    // Never written after `init`, and BoringSSL allows several threads to use one context to seal and open; freed once
    // by `deinit`, since the value cannot be copied.
    private nonisolated(unsafe) let context: UnsafeMutablePointer<EVP_AEAD_CTX>

    init(key: SecretBytes, suite: RecordSuite) {
        let algorithm =
            switch suite {
            case .aes256gcm: CCryptoBoringSSL_EVP_aead_aes_256_gcm()
            case .chacha20poly1305: CCryptoBoringSSL_EVP_aead_chacha20_poly1305()
            }
        let context = key.withPointer { bytes in
            CCryptoBoringSSL_EVP_AEAD_CTX_new(algorithm, bytes, key.count, RawRecordHeader.tagLength)
        }
        guard let context else { preconditionFailure("no memory left for a record key") }
        self.context = context
    }

    deinit {
        // This wipes the expanded key before it frees the memory.
        CCryptoBoringSSL_EVP_AEAD_CTX_free(context)
    }

    /// Replaces `text` by its ciphertext and fills `tag`.
    func seal(
        _ text: UnsafeMutableRawBufferPointer, tag: UnsafeMutableRawBufferPointer, nonce: RecordNonce,
        authenticating header: UnsafeRawBufferPointer
    ) {
        precondition(tag.count == RawRecordHeader.tagLength, "a tag has 16 bytes")
        var tagLength = 0
        let result = nonce.withBytes { nonce, nonceLength in
            CCryptoBoringSSL_EVP_AEAD_CTX_seal_scatter(
                context, text.bytePointer, tag.bytePointer, &tagLength, tag.count, nonce, nonceLength,
                UnsafeRawBufferPointer(text).bytePointer, text.count, nil, 0, header.bytePointer, header.count)
        }
        // With correct lengths sealing cannot fail; to send data after a failure would be worse than a trap.
        precondition(result == 1 && tagLength == tag.count, "sealing a record failed")
    }

    /// Replaces `text` by its plaintext if the tag is correct, else by zeros.
    func open(
        _ text: UnsafeMutableRawBufferPointer, tag: UnsafeRawBufferPointer, nonce: RecordNonce,
        authenticating header: UnsafeRawBufferPointer
    ) throws(RecordError) {
        let result = nonce.withBytes { nonce, nonceLength in
            CCryptoBoringSSL_EVP_AEAD_CTX_open_gather(
                context, text.bytePointer, nonce, nonceLength, UnsafeRawBufferPointer(text).bytePointer, text.count,
                tag.bytePointer, tag.count, header.bytePointer, header.count)
        }
        guard result == 1 else { throw .forged }
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate var bytePointer: UnsafeMutablePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeRawBufferPointer {
    fileprivate var bytePointer: UnsafePointer<UInt8>? { baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
