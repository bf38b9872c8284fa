// KeyManagement: encryption with keys that leave the server only encrypted, as KMS offers it. This is the room's front page.
//
//     call ─▶ KeyCalls ─▶ KeyName: an alias, a key's id, or an ARN of either
//                     └─▶ KeyRing ─▶ the one secret of the data folder ─▶ a key for each name ─▶ a key for each ciphertext
//
// Every well-formed name names a key: nothing is made and nothing is listed. Keys are derived from the secret, so that a
// backup with it opens every ciphertext, and nobody without it opens any.
//
// What must stay true: a ciphertext opens under its own key and its own encryption context alone; no two ciphertexts share a key.

/// The bounds of calls: KMS's.
enum KeyLimits {
    static let bodyBytesMax = 64 << 10
    static let nestingMax = 8
    static let keyNameMax = 2_048
    static let plaintextBytesMax = 4_096
    static let ciphertextBytesMax = 6_144
    static let dataKeyBytesMax: Int64 = 1_024
    /// The names and the values of an encryption context together.
    static let contextBytesMax = 8_192
    static let grantTokensMax = 10
    static let aliasCharactersMax = 256
}
