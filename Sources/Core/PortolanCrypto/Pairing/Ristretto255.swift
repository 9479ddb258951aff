internal import CSodium

/// The group of RFC 9496 by libsodium, with the operations that CPace needs (draft-irtf-cfrg-cpace-21, section 8.3).
///
/// Elements are always in their canonical encoding of 32 bytes. The element of a code is as secret as the code.
enum Ristretto255 {
    static let elementLength = 32
    static let scalarLength = 32

    /// G.sample_scalar: a uniform scalar from 1 to the order of the group less 1.
    static func randomScalar() -> SecretBytes {
        SecretBytes(count: scalarLength, keeping: .guarded) { scalar in
            crypto_core_ristretto255_scalar_random(scalar)
        }
    }

    /// The element-derivation function (RFC 9496 section 4.3.4), in constant time.
    ///
    /// - Precondition: `hash` is 64 bytes long.
    static func element(derivedFrom hash: SecretBytes) -> SecretBytes {
        precondition(hash.count == Int(crypto_core_ristretto255_HASHBYTES), "an element is derived from 64 bytes")
        return SecretBytes(count: elementLength, keeping: .wiped) { element in
            hash.withPointer { hash in
                _ = crypto_core_ristretto255_from_hash(element, hash)
            }
        }
    }

    /// G.scalar_mult_vfy: the product, in constant time.
    ///
    /// - Precondition: `scalar` and `element` are 32 bytes long.
    /// - Throws: ``CPaceError/invalidShare`` when `element` is not the canonical encoding of an element, or if the
    ///   product is the identity, because the element was. Both are G.I in the draft.
    static func product(_ scalar: SecretBytes, _ element: SecretBytes) throws(CPaceError) -> SecretBytes {
        precondition(scalar.count == scalarLength && element.count == elementLength, "both have 32 bytes")
        return try SecretBytes(count: elementLength, keeping: .wiped) { (product) throws(CPaceError) in
            let result = scalar.withPointer { scalar in
                element.withPointer { element in
                    crypto_scalarmult_ristretto255(product, scalar, element)
                }
            }
            guard result == 0 else { throw .invalidShare }
        }
    }
}
