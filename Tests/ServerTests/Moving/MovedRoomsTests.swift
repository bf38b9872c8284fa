import Foundation
import JSON
import Store
import TestSupport
import Testing

@testable import Server

@Suite("Rooms that a move takes along")
struct MovedRoomsTests {
    @Test("are all that have tables, each once")
    func complete() throws {
        let sources = repositoryFile("Sources")
        let paths = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
        var names: [String] = []
        // The room Store brings its own.
        for path in paths where path.hasSuffix(".swift") && !path.hasPrefix("Store/") {
            let text = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
            for part in text.components(separatedBy: "RoomTables(").dropFirst() {
                let rest = part.drop(while: \.isWhitespace)
                guard rest.hasPrefix("of: \"") else { continue }
                names.append(String(rest.dropFirst(5).prefix { $0 != "\"" }))
            }
        }
        #expect(names.count > 20)
        #expect(RoomTables.ofAllRooms.map(\.room.string).sorted() == names.sorted())
    }
}
