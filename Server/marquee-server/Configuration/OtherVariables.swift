/// Variables that begin like those of settings but aren't: Kubernetes, service files and scripts set them for their own
/// use.
enum OtherVariables {
    /// The name of the file of settings, the arguments in the service's file, and the program that scripts run.
    private static let names = Set(["CONFIG", "OPTIONS", "BIN"].map { Settings.variablePrefix + $0 })
    /// A variable that Kubernetes sets in each container.
    private static let kubernetes = "KUBERNETES_SERVICE_HOST"

    static func contains(_ variable: String, _ environment: [String: String]) -> Bool {
        names.contains(variable) || environment[kubernetes] != nil && isLink(variable)
    }

    /// Whether Kubernetes sets it for a service with a name such as `marquee-server`: `MARQUEE_SERVER_SERVICE_HOST`,
    /// `MARQUEE_SERVER_PORT_7420_TCP_ADDR`.
    private static func isLink(_ variable: String) -> Bool {
        variable.wholeMatch(of: /.+_SERVICE_(HOST|PORT(_.+)?)/) != nil
            || variable.wholeMatch(of: /.+_PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?/) != nil
    }
}
