// Moving: the forms in which an app's state leaves AWS and comes back, without database and network. This is the room's front page.
//
//     a folder ─▶ TableFolder ─▶ TableFile ─▶ SourceFile, SourceLines or SourceElements ─▶ TableLine ─▶ an item, or its change
//
// - `Sources/` is files that are read piece by piece: gzip undone, lines and elements found, each within a limit.
// - `Tables/` is tables: exports of DynamoDB to S3 with their manifests, pages of scans, DynamoDB's JSON and Ion.
// - `People/` is users and identities, as Cognito's operations list them and its imports take them.
// - `Objects/` is what S3's operations say of objects.
// - `MovingLimits` is the one table of limits, `MovingFault` what is wrong with a file, with the place.
//
// Nothing here is bound to a file's length: memory is bounded by the longest line or element.
