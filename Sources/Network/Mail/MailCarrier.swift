/// Takes messages over from a sender's queue: a connection to a mail server, or a service that is called.
package protocol MailCarrier: AnyObject, Sendable {
    /// Hands a message over. Called on the sender's loop, and never for two at once.
    func carry(_ mail: QueuedMail) async throws(Undelivered)
    /// There is nothing more to be carried for now.
    func rest() async
}

/// Why a message was not taken over.
package struct Undelivered: Error, Sendable, Equatable {
    /// For the people who run the server, in one line without secrets.
    package let words: String
    /// True if another try is of no use.
    package let isPermanent: Bool
    /// True if no other message would have fared better just now.
    package let isOfAll: Bool
    /// True if nobody waits for it any more, so that it says nothing of the message.
    package let isCancelled: Bool

    package init(_ words: String, isPermanent: Bool = false, isOfAll: Bool = false, isCancelled: Bool = false) {
        self.words = words
        self.isPermanent = isPermanent
        self.isOfAll = isOfAll
        self.isCancelled = isCancelled
    }
}
