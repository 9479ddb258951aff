extension Progress {
    /// `Progress()`: a progress without a parent and without units.
    ///
    /// Its total unit count is 0, so it is indeterminate until one is set. (An initialiser without parameters cannot be
    /// added to a class from outside.)
    public convenience init(userInfo: [ProgressUserInfoKey: Any]? = nil) {
        self.init(parent: nil, userInfo: userInfo)
    }
}
