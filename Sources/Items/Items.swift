/// Items: tables that answer as DynamoDB does, for functions and their SDKs. This is the room's front page.
///
/// - `Values/` is what items are made of, and their form in JSON.
/// - `Expressions/` is what requests say about items: conditions, filters, keys, projections and updates, read once into a
///   small tree, and the forms that they had before expressions.
enum Items {}
