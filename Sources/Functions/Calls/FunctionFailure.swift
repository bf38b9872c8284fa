import JSON

/// The platform's errors, which callers get where the function itself gave none.
enum FunctionFailure {
    static func object(_ type: String, _ message: String) -> [UInt8] {
        JSONWriter.bytes(of: ["errorType": .string(type), "errorMessage": .string(message)])
    }

    static func timedOut(_ id: String, seconds: Int) -> [UInt8] {
        object("Sandbox.Timedout", "RequestId: \(id) Error: Task timed out after \(seconds).00 seconds")
    }

    static func ended(_ id: String, _ end: ProcessEnding) -> [UInt8] {
        object("Runtime.ExitError", "RequestId: \(id) Error: \(end.sentence)")
    }

    static func tooLarge(_ count: Int, _ bytesMax: Int) -> [UInt8] {
        object(
            "Function.ResponseSizeTooLarge",
            "Response payload size (\(count) bytes) exceeded maximum allowed payload size (\(bytesMax) bytes).")
    }

    /// The type that a runtime gives an error in a field of its head.
    static func type(_ told: String?) -> String {
        guard let told, !told.isEmpty else { return "Runtime.Unknown" }
        let parts = told.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let letters = parts.count == 2 ? Array(parts[1].utf8) : []
        if parts[0] == "Runtime" || parts[0] == "Function", letters.count > 1, letters[0].isUppercase,
            letters.allSatisfy(\.isLetter)
        {
            return told
        }
        return told.hasPrefix("Function.") ? "Function.Unknown" : "Runtime.Unknown"
    }

    /// The error that a runtime has posted; where it has posted none, its type alone.
    static func posted(_ body: [UInt8], type told: String?) -> [UInt8] {
        body.isEmpty ? object(type(told), "The function has failed and did not say why.") : body
    }
}
