// The Crypto room: a thin layer over OpenSSL. This is its front page.
//
// - `Digest` is SHA-256, SHA-384 and SHA-512.
// - `HMACSHA256` authenticates bytes with a key.
// - `HMACSHA1` does so for the codes of authenticator apps, and for nothing else.
// - `Seal` hands bytes to others who can neither read nor change them.
// - `Scrypt` makes keys of passwords; `Bcrypt` knows passwords by what others have kept of them.
// - `ConstantTime` compares secrets.
// - `SignatureAlgorithm`, `PublicKey` and `PrivateKey` sign and verify: RSA (PKCS #1 v1.5) and ECDSA.
// - `BigNumber` is a number of any size, and `Modulus` what it is counted round; `FixedBase` has powers of one.
// - `Base64` and `Hexadecimal` read and write bytes as text, `Base32` writes them for people to type.
// - `RandomBytes` makes keys.
// - `OpenSSLLifetime` is OpenSSL as a whole.
//
// Nothing here invents an algorithm; what is combined from these parts says where why that is sound.
