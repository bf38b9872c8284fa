/// Items: tables that answer as DynamoDB does, for functions and their SDKs. This is the room's front page.
///
/// - `Values/` is what items are made of, and their form in JSON.
enum Items {}
