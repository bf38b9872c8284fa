import Foundation
import JSON
import Store
import TestSupport
import Testing

@testable import Server

@Suite("A move that is stopped")
struct StopTests {
    private static let owners = (0..<3).map { number in
        (
            sub: "11111111-2222-4333-8444-55555555555\(number)",
            identity: "us-east-1:99999999-2222-4333-8444-55555555555\(number)"
        )
    }

    /// Records of two tables, users with groups, identities and files.
    private func filled() throws -> MoveWorld {
        let world = try MoveWorld()
        let items = (0..<6).map {
            MoveInTests.item("t\($0)", $0 == 3 ? #","rank":{"S":"much"}"# : #","old":{"N":"1"}"#)
        }
        try ExportedTable("Todo", [Array(items[..<4]), Array(items[4...])]).write(to: world.folder)
        try ExportedTable("PostTags", [[#"{"Item":{"id":{"S":"1"},"postId":{"S":"p"},"tagId":{"S":"t"}}}"#]])
            .write(to: world.folder)
        let users = Self.owners.enumerated().map { number, owner in
            #"{"Username":"u\#(number)","Attributes":[{"Name":"sub","Value":"\#(owner.sub)"}],"UserStatus":"CONFIRMED","Groups":["g"]}"#
        }
        try world.folder.write(#"{"Users":[\#(users[0])]}"#, to: "people/one.json")
        try world.folder.write(#"{"Users":[\#(users[1]),\#(users[2])]}"#, to: "people/two.json")
        try world.folder.write(Self.owners.map { "\($0.sub),\($0.identity)\n" }.joined(), to: "pairs")
        for (number, owner) in Self.owners.enumerated() {
            try world.folder.write("file \(number)", to: "files/private/\(owner.identity)/a.txt")
        }
        return world
    }

    private func moveIn(_ world: MoveWorld, _ data: String, stoppingAfter steps: Int = .max) throws -> MoveWorld.Said {
        try world.moveIn(data: data, stoppingAfter: steps) {
            $0.users = [world.folder.file("people")]
            $0.identities = [world.folder.file("pairs")]
            $0.files = [world.folder.file("files")]
            $0.keepsUnknown = true
        }
    }

    /// What a data folder holds, as a way out shows it.
    private func content(_ world: MoveWorld, _ data: String) throws -> [String] {
        let (resolution, wish) = (
            try world.resolution(data: data), MoveOutCommand.Wish(world.folder.file("out-\(data)"))
        )
        let said = world.said { MoveOutCommand.run(resolution, wish, $0) }
        guard said.code == .success else { return [said.all] }
        let names = FileManager.default.enumerator(atPath: wish.folder)?.allObjects as? [String] ?? []
        let files = names.filter { $0.contains("private/") && $0.hasSuffix(".txt") }.sorted().map {
            $0.components(separatedBy: "private/")[1]
        }
        let pairs = try String(contentsOfFile: "\(wish.folder)/identities.csv", encoding: .utf8)
        let users = try world.users(data: data).map { line in
            var user = try JSONReader.value(of: line).object ?? JSONObject()
            for member in ["created", "modified"] { user.remove(member) }
            return JSONWriter.text(of: .object(user))
        }
        return try world.records(data: data).sorted() + users.sorted() + [pairs] + files
    }

    @Test("continues from every step on the way in: nothing is lost, and nothing is there twice")
    func everyStep() throws {
        let world = try filled()
        _ = try moveIn(world, "whole")
        let whole = try content(world, "whole")
        #expect(whole.count == 6 + 4 + 1 + 3, "\(whole)")
        var steps = 0
        while steps < 40 {
            steps += 1
            let stopped = try moveIn(world, "d\(steps)", stoppingAfter: steps)
            guard stopped.diagnostics.contains("the move was stopped") else { break }
            let said = try moveIn(world, "d\(steps)")
            // The one item that did not come is said, whichever run has read it.
            #expect(
                said.code == .failure && said.output.contains("Todo      5 of 6 came, 1 did not come"), "\(said.all)")
            #expect(try content(world, "d\(steps)") == whole, "stopped after step \(steps)")
            // Incremental exports can come on top of it.
            let reader = try Reader.beside(world.folder.file("d\(steps)/data.sqlite"))
            #expect(try MoveState.content(of: "move", in: reader)?["done"] == true)
            #expect(try MoveState.content(of: "table Todo-\(ExportedTable.apiID)-dev", in: reader) != nil)
        }
        // Three files of records, two of users, the pairs and the files.
        #expect(steps > 6, "\(steps)")
    }
}
