/// The abilities that a mail server names in its answer to EHLO, as far as they are used here.
struct SMTPExtensions: Equatable {
    var startTLS = false
    /// True if a mail's size may be told before it.
    var takesSize = false
    /// The most bytes of a mail; nil: the server does not say.
    var sizeMax: Int?
    /// The ways to sign in, in capitals.
    var signIns: Set<String> = []

    init() {}

    /// Reads the lines behind the first, which is a greeting. The words are the same in capitals and small letters.
    init(_ reply: SMTPReply) {
        for line in reply.lines.dropFirst() {
            // "AUTH=" is how some old servers have it, beside the other.
            let words = line.uppercased().split { $0 == " " || $0 == "=" }
            switch words.first {
            case "STARTTLS": startTLS = true
            case "SIZE":
                takesSize = true
                sizeMax = words.dropFirst().first.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
            case "AUTH": signIns.formUnion(words.dropFirst().map(String.init))
            default: break
            }
        }
    }
}
