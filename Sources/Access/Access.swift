// Access: who is calling, and what they may do. This is the room's front page.
//
//     request's fields ─▶ Identity       who is calling, as one of the API's modes has proved it
//     blueprint ─▶ rules compiled once   what that identity may do: allow, deny, or a predicate on records
//
// The room knows nothing of HTTP connections. What it must ask of others (key sets, an authorizer) it asks through an
// `OutsideService`.
