import JSON

/// A message to one or more readers, before it is in the database.
struct OutgoingLetter: Sendable {
    /// The id for the caller.
    let id: String
    /// `ses` or `sns`.
    var service: String
    let medium: OutboxMessage.Medium
    let sender: String
    /// Addresses, numbers of telephones, or names of functions.
    let readers: [String]
    let subject: String
    let text: String
    var html: String?
    /// The whole mail; nil: it is none.
    var mail: [UInt8]?
    /// Why it can never be sent; nil: it can.
    var problem: String?

    /// The bytes that its rows have in the database.
    var storedBytes: Int {
        (mail?.count ?? 0) + readers.count * (text.utf8.count + (html?.utf8.count ?? 0) + subject.utf8.count)
    }
}
