import Glibc
import Network
import TestSupport
import Testing

@Suite("Folders and what is in them")
struct FolderContentTests {
    @Test("the names in a folder are those of its files and folders, as many as are asked for")
    func names() throws {
        let folder = TemporaryFolder()
        for name in ["a", ".b", "c/d"] { try folder.write("xy", to: name) }
        #expect(FolderContent.names(in: folder.path).sorted() == [".b", "a", "c"])
        #expect(FolderContent.names(in: folder.path, max: 2).count == 2)
        #expect(FolderContent.readableNames(in: folder.file("c"))?.isEmpty == false)
        #expect(FolderContent.readableNames(in: folder.file("e")) == nil && errno == ENOENT)
        #expect(FolderContent.names(in: folder.file("a")).isEmpty)
        #expect(FileStatus.isFile(folder.file("a")) && !FileStatus.isFolder(folder.file("a")))
        #expect(FileStatus.isFolder(folder.file("c")) && !FileStatus.isFile(folder.file("c")))
        #expect(!FileStatus.isFile(folder.file("e")) && !FileStatus.isFolder(folder.file("e")))
        #expect(FileStatus.bytes(of: folder.file("a")) == 2 && FileStatus.bytes(of: folder.file("e")) == 0)
        FolderContent.remove(folder.file("c"))
        #expect(FolderContent.names(in: folder.path).sorted() == [".b", "a"])
    }
}
