// Access: who is calling, and what they may do. This is the room's front page.
//
//     fields of a request ─▶ Authenticator ─▶ Identity     who is calling, as one of the API's modes has proved it
//                                                │
//     blueprint, API schema ─▶ AccessPolicy ─────┴─▶ Caller       an identity as the rules of one schema see it
//        (rules compiled once)   │                     │
//                                ├─ FieldGate          may callers of that mode ask for the field at all (`@aws_*`)
//                                ├─ IAMDemand          has the principal a policy for what the operation names
//                                ├─ ReadAccess         get, list, index query, sync: allow, deny, or a predicate
//                                ├─ SearchAccess       the same for searches and their aggregations
//                                ├─ RelationAccess     the same for what a relation leads to, and redaction
//                                ├─ CreateAccess, UpdateAccess, DeleteAccess
//                                ├─ FieldAccess        a field with rules of its own
//                                └─ ListenAccess       subscriptions, at their start
//
// - `Identity/` who is calling, and what functions are told of it.
// - `Credentials/` how each mode proves it: API keys, JSON Web Tokens, signatures, a Lambda authorizer.
// - `Rules/` what Amplify's `@auth` allows. `Gates/` what AppSync itself admits before any rule.
// - `Policies/` what IAM's policies allow the roles of functions, beside the API.
// - `Explain/` why something was denied, as told by the evaluator itself.
//
// Everything about a schema is looked up by name once, when a plan is made; a request works with the values found then.
// The room knows nothing of HTTP connections. What it must ask of others (key sets, an authorizer) it asks through an
// `OutsideService`. `DESIGN.md` says in which order the parts are asked.
