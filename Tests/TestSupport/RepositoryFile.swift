/// The path of a file of this repository.
package func repositoryFile(_ path: String, from file: String = #filePath) -> String {
    file.split(separator: "/").prefix { $0 != "Tests" }.map { "/" + $0 }.joined() + "/" + path
}
