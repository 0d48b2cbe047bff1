// The signatures of SwiftUI that MarqueeSwiftUI and the sample app use, as Apple documents them for iOS 18, so that
// they can be type-checked on systems without SwiftUI. Nothing here does anything, and it is no target of the package:
// `canImport(SwiftUI)` would be true elsewhere.

@_exported public import Foundation
@_exported public import Observation

// MARK: - Views

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { unusable() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { unusable() }
}

@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { unusable() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { unusable() }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { unusable() }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { unusable() }
}

public struct TupleView<T>: View {
    public var body: Never { unusable() }
}

public struct _ConditionalContent<TrueContent, FalseContent>: View {
    public var body: Never { unusable() }
}

public struct EmptyView: View {
    public init() {}
    public var body: Never { unusable() }
}

public struct Text: View {
    public init<S: StringProtocol>(_ content: S) { unusable() }
    public func font(_ font: Font?) -> Text { unusable() }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> Text { unusable() }
    public var body: Never { unusable() }
}

public struct Image: View {
    public init(systemName: String) { unusable() }
    public var body: Never { unusable() }
}

public struct Label<Title: View, Icon: View>: View {
    public var body: Never { unusable() }
}

extension Label where Title == Text, Icon == Image {
    public init<S: StringProtocol>(_ title: S, systemImage name: String) { unusable() }
}

public struct Spacer: View {
    public init(minLength: CGFloat? = nil) { unusable() }
    public var body: Never { unusable() }
}

public struct Button<Label: View>: View {
    @preconcurrency public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) { unusable() }
    public var body: Never { unusable() }
}

extension Button where Label == Text {
    @preconcurrency public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) { unusable() }
}

public struct TextField<Label: View>: View {
    public var body: Never { unusable() }
}

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
    public var body: Never { unusable() }
}

extension Picker where Label == Text {
    public init<S: StringProtocol>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) { unusable() }
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    public var body: Never { unusable() }
}

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    public init() { unusable() }
}

public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    public var body: Never { unusable() }
}

extension ContentUnavailableView where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    public init<S: StringProtocol>(_ title: S, systemImage name: String, description: Text? = nil) { unusable() }
}

@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = _ViewModifier_Content<Self>
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
}

public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
    public var body: Never { unusable() }
}

// MARK: - Apps

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor @preconcurrency public static func main() { unusable() }
}

@MainActor @preconcurrency public protocol Scene {}

@resultBuilder public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    public nonisolated init(@ViewBuilder content: () -> Content) { unusable() }
}

// MARK: - Containers

public struct HStack<Content: View>: View {
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        unusable()
    }
    public var body: Never { unusable() }
}

public struct VStack<Content: View>: View {
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) { unusable() }
    public var body: Never { unusable() }
}

public struct ScrollView<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) { unusable() }
    public var body: Never { unusable() }
}

public struct List<SelectionValue: Hashable, Content: View>: View {
    public var body: Never { unusable() }
}

extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) { unusable() }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

extension ForEach: View where Content: View {
    public var body: Never { unusable() }
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) { unusable() }
}

extension ForEach where Content: View {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {
        unusable()
    }
}

public struct Section<Parent: View, Content: View, Footer: View>: View {
    public var body: Never { unusable() }
}

extension Section where Footer == EmptyView {
    public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) { unusable() }
}

public struct LazyVGrid<Content: View>: View {
    public init(
        columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) { unusable() }
    public var body: Never { unusable() }
}

public struct GridItem: Sendable {
    public enum Size: Sendable {
        case fixed(CGFloat)
        case flexible(minimum: CGFloat = 10, maximum: CGFloat = .infinity)
        case adaptive(minimum: CGFloat, maximum: CGFloat = .infinity)
    }

    public init(_ size: Size = .flexible(), spacing: CGFloat? = nil, alignment: Alignment? = nil) { unusable() }
}

public struct NavigationStack<Data, Root: View>: View {
    public var body: Never { unusable() }
}

extension NavigationStack where Data == NavigationPath {
    public init(@ViewBuilder root: () -> Root) { unusable() }
}

public struct NavigationPath {
    public init() {}
}

public struct NavigationLink<Label: View, Destination: View>: View {
    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) { unusable() }
    public var body: Never { unusable() }
}

public struct TabView<SelectionValue: Hashable, Content: View>: View {
    public var body: Never { unusable() }
}

extension TabView where SelectionValue == Int {
    public init(@ViewBuilder content: () -> Content) { unusable() }
}

// MARK: - Values

public struct Alignment: Sendable {
    public static let center = Alignment()
}

public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
}

public struct VerticalAlignment: Sendable {
    public static let center = VerticalAlignment()
}

public struct Font: Hashable, Sendable {
    public static let headline = Font()
    public static let subheadline = Font()
    public static let caption = Font()
}

public protocol ShapeStyle: Sendable {}

public struct HierarchicalShapeStyle: ShapeStyle {}

public struct Color: ShapeStyle {}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var secondary: HierarchicalShapeStyle { unusable() }
}

extension ShapeStyle where Self == Color {
    public static var red: Color { unusable() }
}

public struct Animation: Equatable, Sendable {
    public static let `default` = Animation()
}

public func withAnimation<Result>(
    _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result { try body() }

@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}

public struct BorderlessButtonStyle: PrimitiveButtonStyle {
    public nonisolated init() {}
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

// MARK: - Modifiers

extension View {
    public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { self }
    public func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { self }
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { self }
    public func modifier<T: ViewModifier>(_ modifier: T) -> some View { self }
    public func alert<E: LocalizedError, A: View>(
        isPresented: Binding<Bool>, error: E?, @ViewBuilder actions: () -> A
    ) -> some View { self }
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View { self }
    public func padding(_ length: CGFloat? = nil) -> some View { self }
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { self }
    public func opacity(_ opacity: Double) -> some View { self }
    public func disabled(_ disabled: Bool) -> some View { self }
    public func font(_ font: Font?) -> some View { self }
    public func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { self }
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { self }
    public func accessibilityLabel(_ label: Text) -> some View { self }
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }
    public func searchable<S: StringProtocol>(text: Binding<String>, prompt: S) -> some View { self }
    public func tabItem<V: View>(@ViewBuilder _ label: () -> V) -> some View { self }
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View { self }
}

// MARK: - Data

public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

@propertyWrapper public struct State<Value>: DynamicProperty {
    public init(wrappedValue: Value) { unusable() }
    public var wrappedValue: Value {
        get { unusable() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { unusable() }
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public init(projectedValue: Binding<Value>) { unusable() }
    public var wrappedValue: Value {
        get { unusable() }
        nonmutating set {}
    }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { unusable() }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
    public init(wrappedValue: Value) where Value: AnyObject, Value: Observable { unusable() }
    public var wrappedValue: Value
    public var projectedValue: Bindable<Value> { self }
    public subscript<Subject>(
        dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
    ) -> Binding<Subject> where Value: AnyObject { unusable() }
}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { unusable() }
    public var wrappedValue: Value { unusable() }
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Self.Value { get }
}

public struct EnvironmentValues: Sendable {
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { unusable() }
        set {}
    }
}

private func unusable() -> Never { fatalError("only signatures, for type checking") }
