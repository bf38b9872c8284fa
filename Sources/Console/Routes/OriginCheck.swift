import Network

/// Whether a request comes from the console's own page, or from a program that is no browser.
enum OriginCheck {
    static func isOwn(_ head: HTTPRequestHead, _ visit: ConsoleVisit) -> Bool {
        switch RequestingPage(of: head, at: visit.authority) {
        case .none, .own: true
        // A person who typed the address may look, and a download begins so.
        case .typed: head.method == .get || head.method == .head
        case .foreign: false
        }
    }
}
