#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Words and variables of another program, as C takes them.
package enum CommandTexts {
    /// Hands texts to C. Those with a zero in them end there.
    package static func with<Answer>(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Answer
    ) -> Answer {
        var copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeMutableBufferPointer { body(UnsafePointer($0.baseAddress)) }
    }
}
