import Blueprint
import GraphQL
import Project

/// Where the arguments of a call stand, looked for when somebody asks.
final class ArgumentPlaces {
    /// What is called.
    let function: String
    private let call: Position
    private let files: ProgramFiles

    init(_ function: String, _ call: Position, _ files: ProgramFiles) {
        self.function = function
        self.call = call
        self.files = files
    }

    private(set) lazy var literals: [LiteralPlaces.Literal] =
        call.isKnown && files.sources.indices.contains(call.source)
        ? LiteralPlaces.arguments(at: call.offset, in: files.sources[call.source].bytes) : []

    /// What the text has at a place.
    func byte(at offset: Int) -> UInt8? {
        guard call.isKnown, files.sources.indices.contains(call.source) else { return nil }
        let bytes = files.sources[call.source].bytes
        return bytes.indices.contains(offset) ? bytes[offset] : nil
    }

    func position(of literal: LiteralPlaces.Literal?) -> Position { position(literal?.offset) }

    func position(_ offset: Int?) -> Position {
        offset.map { Position(offset: $0, source: call.source) } ?? call
    }
}
