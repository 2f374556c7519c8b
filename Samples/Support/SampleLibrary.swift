import Cameo
import Foundation

/// The library that the samples pick from: the only place that says where their assets come from.
enum SampleLibrary {
    /// The assets in the folders below `folder`, once they are found; ends the program where there are none to be had.
    static func open(_ folder: FilePath) async -> AssetLibrary {
        do {
            let library = try AssetLibrary(folders: [folder], catalog: .none)
            _ = try await library.scan()
            return library
        } catch {
            print("\(error)")
            exit(3)
        }
    }
}
