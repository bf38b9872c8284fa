import JSON

/// What calls know of the project that the schema was made for.
package struct CallEnvironment: Sendable, Equatable {
    /// What `${env}` stands for. Amplify calls it so where there is none.
    package var name = "NONE"
    /// What `${aws_region}` stands for.
    package var region = "us-east-1"

    package init() {}

    /// The text with both put in.
    func substituted(_ text: String) -> String {
        text.replacing(bytesOf: "${env}", with: name).replacing(bytesOf: "${aws_region}", with: region)
    }
}

extension String {
    /// The text with every occurrence replaced.
    fileprivate func replacing(_ part: String, with other: String) -> String {
        var (result, rest): ([UInt8], ArraySlice<UInt8>) = ([], ArraySlice(utf8))
        let (part, other) = (Array(part.utf8), Array(other.utf8))
        while let byte = rest.first {
            if rest.starts(with: part) {
                result.append(contentsOf: other)
                rest = rest.dropFirst(part.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
