// The Crypto room: a thin layer over OpenSSL. This is its front page.
//
// - `HMACSHA256` authenticates bytes with a key.
// - `RandomBytes` makes keys.
//
// Nothing here invents an algorithm; what is combined from these parts says where why that is sound.
