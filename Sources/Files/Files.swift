/// Files: a store that answers as S3 does, under the rules of an Amplify app. This is the room's front page.
///
///     head ─▶ target (bucket, key) ─▶ signature ─▶ rights ─▶ body streamed to a file, hashed on the way ─▶ record ─▶ answer
///
/// - `Signatures/` tells who asks: Signature Version 4 in the head, in a link, in a form.
/// - `Rights/` tells who may do what: the rules of `amplify add storage` and of `defineStorage`.
/// - `Content/` is what bodies are made of: the chunks of `aws-chunked`, checksums, ranges.
/// - `Markup/` reads and writes XML.
/// - `Data/` is objects as files, and what is known of them in the database, in tables of this room alone.
/// - `Operations/` is what clients call.
///
/// What must stay true: rights are decided before anything is looked up, from what is signed alone; an object is there when its bytes and its
/// record are on the disk, and until then the old one is; names on the disk never come from keys.
enum FilesRoom {}
