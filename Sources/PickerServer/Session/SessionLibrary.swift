import Cameo

/// The library as the session's picker sees it: its assets, and the moments of the lists that the page has.
struct SessionLibrary: AssetProviding {
    let library: AssetLibrary
    let lists: ListShelf

    func asset(for id: Asset.ID) -> Asset? { library.asset(for: id) }

    func groups(of source: PickerConfiguration.Source) -> [AssetGroup] { [] }

    func assetIDs(in group: AssetGroup.ID) -> [Asset.ID] {
        let numbers = group.key.split(separator: ".").compactMap { Int($0) }
        guard numbers.count == 2, let list = lists.list(numbers[0]), list.sections.indices.contains(numbers[1]) else {
            return []
        }
        return list.sections[numbers[1]].range.map { list.id(at: $0) }
    }

    /// The picker's name for a section of a list.
    static func group(_ list: Int, section: Int) -> AssetGroup.ID { AssetGroup.ID(.moments, "\(list).\(section)") }
}
