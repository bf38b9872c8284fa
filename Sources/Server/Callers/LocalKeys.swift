import Access
import Glibc
import JSON
import Network

/// The public keys of the issuer on this machine, in a file: a server reads them when it meets a token that needs them,
/// so that it need not make a key to start.
enum LocalKeys {
    private static let fileName = "issuer-keys.json"
    private static let fileMode: mode_t = 0o600

    /// The issuer of the tokens that `homeport token` prints.
    static func tokenIssuer(in folder: String) -> TokenIssuer {
        .userPool(LocalIssuer.issuer, keys: .file("\(folder)/\(fileName)"), clientIDs: [LocalIssuer.clientID])
    }

    /// Opens the issuer, which makes its key the first time, and leaves its public key where servers find it.
    static func issuer(in folder: String) throws(LocalIssuer.KeyError) -> LocalIssuer {
        do throws(SystemError) {
            try DataFolder.make(folder)
        } catch {
            throw LocalIssuer.KeyError(
                message: "cannot make the folder \(folder): \(String(cString: strerror(error.code)))")
        }
        let issuer = try LocalIssuer.open(folder: folder)
        let path = "\(folder)/\(fileName)"
        let bytes = JSONWriter.bytes(of: issuer.keySet)
        // What stands there already is not written again: the folder may be one that this user only reads.
        if (try? SmallFile.read(path, bytesMax: bytes.count)) == bytes { return issuer }
        do throws(SystemError) {
            try SmallFile.replace(path, with: bytes, mode: fileMode)
        } catch {
            throw LocalIssuer.KeyError(message: "\(path) cannot be written: \(String(cString: strerror(error.code)))")
        }
        return issuer
    }
}
