import Crypto
import JSON

/// A page for people: plain markup with one style sheet, no script, nothing from elsewhere.
struct HostedPage: Sendable {
    let title: String
    let content: HTML
    /// Where its forms may lead, beside the server itself: the app that the sign-in goes back to.
    var formTarget: String?
    var status = 200

    /// The page as an answer.
    var answer: HostedAnswer {
        HostedAnswer(
            status: status, fields: [("content-type", "text/html; charset=utf-8")] + Self.fields(formTarget),
            body: Array(markup.text.utf8))
    }

    private var markup: HTML {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title)</title><style>\(Self.style)</style></head>
        <body><main><h1>\(title)</h1>
        \(content)
        </main></body></html>

        """
    }

    /// What every answer to a browser says: it is nobody else's to frame, to keep or to be told of.
    static func fields(_ formTarget: String?) -> [(name: String, value: String)] {
        let target = formTarget.flatMap(source).map { " \($0)" } ?? ""
        return [
            (
                "content-security-policy",
                "default-src 'none'; style-src '\(styleHash)'; form-action 'self'\(target); base-uri 'none'; "
                    + "frame-ancestors 'none'"
            ),
            ("x-frame-options", "DENY"), ("referrer-policy", "no-referrer"), ("x-content-type-options", "nosniff"),
            ("cache-control", "no-store"),
        ]
    }

    /// The origin of an address as a policy names it; browsers hold the redirect behind a form against it, too.
    private static func source(of address: String) -> String? {
        guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = address.utf8[..<colon]
        guard !scheme.isEmpty, scheme.allSatisfy({ PercentCoding.isUnreserved($0) || $0 == UInt8(ascii: "+") }) else {
            return nil
        }
        let name = String(decoding: scheme, as: UTF8.self)
        guard name == "http" || name == "https" else { return "\(name):" }
        let rest = address.utf8[address.utf8.index(after: colon)...].drop { $0 == UInt8(ascii: "/") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        // An address in brackets cannot be written there.
        guard !authority.isEmpty,
            authority.allSatisfy({ PercentCoding.isUnreserved($0) || $0 == UInt8(ascii: ":") })
        else { return "\(name):" }
        return "\(name)://\(String(decoding: authority, as: UTF8.self))"
    }

    private static let styleHash =
        "sha256-\(Base64.text(of: Digest.sha256.of(Array(style.text.utf8)), .standard))"

    private static let style: HTML = """
        :root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
        body{margin:0;display:flex;min-height:100vh;justify-content:center;align-items:center}
        main{width:100%;max-width:22rem;padding:1.5rem;box-sizing:border-box}
        h1{font-size:1.5rem;margin:0 0 1rem}
        label{display:block;margin:.75rem 0 .25rem}
        input,button,.button{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;border:1px solid #8888;border-radius:.375rem}
        input[type=radio]{width:auto;margin-right:.5rem}
        button,.button{display:block;margin-top:1rem;text-align:center;cursor:pointer}
        button{background:#1f5fbf;color:#fff;border-color:#1f5fbf}
        :focus-visible{outline:3px solid #e08a00;outline-offset:2px}
        .error{border-left:4px solid #c02020;padding:.25rem .75rem;margin:0 0 1rem}
        .note{border-left:4px solid #208040;padding:.25rem .75rem;margin:0 0 1rem}
        code{overflow-wrap:anywhere}
        a{color:LinkText}
        """
}
