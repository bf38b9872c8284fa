/// The head of an HTTP answer, read without asking whether it is right.
package struct AnswerHead {
    package let status: Int
    /// By name, in lower case; the last value where a name is there several times.
    package let fields: [String: String]

    package struct Malformed: Error, CustomStringConvertible {
        package let description: String
    }

    package init(_ text: String) throws {
        let lines = text.split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Malformed(description: "the answer has no status: \(text)")
        }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " }) }
        }
        (self.status, self.fields) = (status, fields)
    }
}
