import Access
import JSON

/// The sandbox that keeps pages of functions apart from the console and the sign-in pages, whose origin they share: browsers show them
/// in a sandbox, with an origin of their own. On AWS, a function's URL and an API are origins of their own as well.
enum AnswerSandbox {
    static let policy = "sandbox allow-scripts allow-forms allow-popups allow-downloads"

    /// Header fields of answers that count for the whole origin.
    static let fieldsOfOrigin = ["clear-site-data", "service-worker-allowed"]

    /// Returns whether an answer needs the sandbox: a browser may run what is in it, and the app has set no sandbox of its own.
    ///
    /// - Parameters:
    ///   - types: its values of `content-type`.
    ///   - policies: its values of `content-security-policy`.
    static func isNeeded(types: [String], policies: [String]) -> Bool {
        if types.count == 1, isInert(types[0]) { return false }
        return !policies.contains(where: hasSandbox)
    }

    private static let inert = ["application/json", "application/pdf", "text/plain"]
    private static let inertKinds = ["image/", "audio/", "video/", "font/"]

    /// Returns whether no browser runs anything of that type. What is not known may be anything.
    private static func isInert(_ type: String) -> Bool {
        let essence = String(Substring(type.utf8.prefix { $0 != UInt8(ascii: ";") })).trimmingBlanks.lowercased()
        guard essence.utf8.allSatisfy(isOfType) else { return false }
        if inert.contains(essence) { return true }
        return inertKinds.contains { essence.utf8.starts(with: $0.utf8) } && !essence.utf8.contains(UInt8(ascii: "+"))
    }

    private static func isOfType(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    /// Returns whether a list of policies has the directive in one of them.
    private static func hasSandbox(_ value: String) -> Bool {
        value.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }.contains { directive in
            let words = directive.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            return words.first.map { String(Substring($0)).lowercased().utf8.elementsEqual("sandbox".utf8) } ?? false
        }
    }
}
