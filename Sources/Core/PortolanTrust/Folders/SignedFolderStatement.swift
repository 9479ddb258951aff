import Foundation
import PortolanCrypto

/// Bytes of a statement about a folder and their signature, with the maker's statement that it follows if somebody else
/// signed it. Not checked.
package struct SignedFolderStatement: Hashable, Codable, Sendable {
    /// Bytes and their signature.
    package struct Signed: Hashable, Codable, Sendable {
        package let bytes: Data
        package let signature: Data

        package init(bytes: Data, signature: Data) { (self.bytes, self.signature) = (bytes, signature) }

        fileprivate func verified(_ isStored: Bool) throws(FolderStatementError) -> FolderStatement {
            let statement = try FolderStatement(decoding: Array(bytes))
            if isStored { return statement }
            guard let key = try? DevicePublicKey(bytes: statement.signer.bytes),
                key.isValidSignature(signature, for: SignedFolderStatement.label + bytes)
            else { throw .badSignature }
            return statement
        }
    }

    package let own: Signed
    /// The maker's statement; nil for a statement by the maker.
    package let grant: Signed?

    package init(own: Signed, grant: Signed?) { (self.own, self.grant) = (own, grant) }

    private static let label = Array("portolan/1 folder statement".utf8)

    /// Signs a statement.
    ///
    /// - Parameter grant: the maker's statement that it follows; nil for one by the maker.
    /// - Throws: ``FolderStatementError`` if the statement is larger than the limit.
    package init(_ statement: FolderStatement, by key: DeviceKey, after grant: Signed? = nil)
        throws(FolderStatementError)
    {
        precondition(statement.signer.matches(key.publicKey), "A statement is signed by the one it names")
        let bytes = statement.encode()
        // A statement that others would refuse is not signed.
        _ = try FolderStatement(decoding: bytes)
        own = Signed(bytes: Data(bytes), signature: Data(key.signature(for: Self.label + bytes)))
        self.grant = grant
    }

    /// Statements that are valid by their bytes alone.
    package struct Verified: Hashable, Sendable {
        package let signed: SignedFolderStatement
        package let statement: FolderStatement
        /// The maker's statement that it follows; the statement itself if it is the maker's.
        package let grant: FolderStatement

        /// Order: a greater one replaces a smaller one. The maker's later word precedes others' on an earlier one.
        package var rank: [UInt32] { [grant.version, statement.version] }

        /// True if the signer is the maker or a keeper, whatever its standing.
        package var isSignedByKey: Bool {
            statement.signer == statement.maker || grant.keepers.contains(statement.signer)
        }

        /// True if its signer may sign.
        ///
        /// - Parameter standing: that of the signer, from this device's rosters.
        package func isSignedByRight(_ standing: Standing) -> Bool {
            if isSignedByKey { return true }
            guard let team = grant.onlyTeam, statement.onlyTeam == team else { return false }
            return standing.membership(in: team)?.isAdmin ?? false
        }
    }

    /// Checks all that does not depend on the knowledge of the receiver.
    ///
    /// - Parameter isStored: true for one that this device has checked before: its signatures are not checked again.
    package func verified(isStored: Bool = false) throws(FolderStatementError) -> Verified {
        let statement = try own.verified(isStored)
        guard statement.signer != statement.maker else {
            guard grant == nil, (statement.before == nil) == (statement.version == 1) else { throw .wrongBefore }
            return Verified(signed: self, statement: statement, grant: statement)
        }
        guard let before = try grant?.verified(isStored), let bytes = grant?.bytes, before.signer == before.maker,
            before.maker == statement.maker, before.salt == statement.salt, before.former == statement.former,
            before.keepers == statement.keepers, before.version < statement.version,
            (before.before == nil) == (before.version == 1), statement.before == sha256([Array(bytes)])
        else { throw .wrongBefore }
        return Verified(signed: self, statement: statement, grant: before)
    }
}
