// Cloud: how calls of AWS's services come in and go out. This is the room's front page.
//
//     request ─▶ ServiceDoor ─▶ signature, rights ─▶ wire form read ─▶ MemberCheck ─▶ CloudOperation.run ─▶ wire form written
//                    │                                                     │
//                    └── ServiceTable: one service, its operations as rows ┘
//
//     Shapes/   what members of a call may be, and the service's words for a member that is something else
//     Calls/    a service as a table: its operations, the members of a call, errors, tokens of pages
//     Wire/     JSON 1.0 and 1.1, forms that are answered with XML, and methods and paths with JSON
//
// A room that serves a service of AWS says one `ServiceTable`. The table decides the order in which everything is refused:
// the signature, the caller's rights, the form of the body, the name of the operation, its members, and last the operation itself.
//
// What must stay true: an operation reads no member that its row does not name a shape of; a row that says nothing of rights
// asks for the right to everything of its service; nothing of a body is read for a caller without a signature.
