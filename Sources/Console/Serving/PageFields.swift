import Network

/// What every answer of the console tells a browser: nothing comes from elsewhere, no text becomes a script, nobody frames it.
enum PageFields {
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'",
        "connect-src 'self'", "media-src 'self' blob:", "form-action 'none'", "frame-ancestors 'none'",
        "base-uri 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    static let all = HTTPFieldLines([
        "content-security-policy": policy,
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    ])

    /// Those of an answer of the API, which nobody keeps.
    static let ofAPI = {
        var fields = all
        fields.append("cache-control", "no-store")
        return fields
    }()
}
