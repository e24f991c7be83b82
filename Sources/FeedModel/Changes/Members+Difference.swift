extension Members {
    /// What turns `old` into this.
    package func edit(from old: Members) -> Changes.MemberEdit {
        if list.isIdentical(to: old.list) { return Changes.MemberEdit() }
        let values = old.byName
        let names = Set(list.map(\.name))
        return Changes.MemberEdit(
            set: list.filter { values[$0.name] != $0.value },
            unset: old.list.map(\.name).filter { !names.contains($0) }
        )
    }
}
