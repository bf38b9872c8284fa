// Network: event loops, sockets, TLS, HTTP/1.1 and HTTP/2, WebSocket and mails, and nothing of what is served.
//
//     EventLoop/    a thread with a poller, timers, a mailbox; tasks and rounds of work run on it
//     Socket/       descriptors, addresses, listeners; `Channel` is a connection: bytes in, bytes out, one deadline
//     TLS/          certificates and sessions over OpenSSL
//     HTTP/         the request parser and the connection's decisions (pure machines), the connection, its messages
//     HTTP2/        the connection and the streams of HTTP/2, whose protocol is the room `HTTP2`
//     Compression/  deflate and inflate over zlib
//     WebSocket/    frames, messages and the closing handshake (pure machines), the connection
//     Client/       HTTP requests to others, on the same loops
//     Mail/         a mail as a value, its bytes, a queue of them and who carries one
//     SMTP/         the conversation with a mail server (a pure machine), the connection
//
// The way through: a `Listener` accepts and makes a `Channel`; its `HTTPServerConnection` feeds a `HTTPRequestParser`
// and asks the `HTTPApplication` what to do with a head; the handler runs as a `Task` on the loop; its `HTTPResponse`
// is appended to the channel's buffer and leaves at the end of the loop's turn.
//
// `DESIGN.md` beside this file says what must stay true.
