internal import CMarqueeProto
internal import MarqueeModel

// The C forms of items with few fields.

extension GenreContent: ProtobufConvertible {
    func write(to wire: inout Proto.GenreBody, with packer: Packer) {
        (wire.has_id, wire.id) = packer.number(id)
        wire.name = packer.text(name)
        wire.image = packer.image(image, .image)
        (wire.has_movies, wire.movies) = packer.number(unlessZero: movies)
    }

    static func read(_ wire: Proto.GenreBody, with unpacker: Unpacker) throws(WireError) -> GenreContent {
        GenreContent(
            id: unpacker.number(wire.has_id, wire.id) ?? 0, name: unpacker.text(wire.name) ?? "",
            image: unpacker.image(wire.image), movies: unpacker.number(wire.has_movies, wire.movies) ?? 0)
    }
}

extension CreditContent: ProtobufConvertible {
    func write(to wire: inout Proto.CreditBody, with packer: Packer) {
        (wire.has_person, wire.person) = packer.number(person)
        wire.name = packer.text(name)
        wire.character = packer.text(character)
        wire.job = packer.text(job)
        wire.portrait = packer.image(portrait, .portrait)
    }

    static func read(_ wire: Proto.CreditBody, with unpacker: Unpacker) throws(WireError) -> CreditContent {
        CreditContent(
            person: unpacker.number(wire.has_person, wire.person) ?? 0, name: unpacker.text(wire.name) ?? "",
            character: unpacker.text(wire.character), job: unpacker.text(wire.job),
            portrait: unpacker.image(wire.portrait))
    }
}

extension BannerContent: ProtobufConvertible {
    func write(to wire: inout Proto.BannerBody, with packer: Packer) {
        wire.title = packer.text(title)
        wire.caption = packer.text(caption)
        wire.description = packer.text(description)
        wire.image = packer.image(image, .image)
        wire.link = packer.text(link)
        (wire.n_actions, wire.actions) = packer.messages(actions)
    }

    static func read(_ wire: Proto.BannerBody, with unpacker: Unpacker) throws(WireError) -> BannerContent {
        var banner = BannerContent(title: unpacker.text(wire.title) ?? "")
        banner.caption = unpacker.text(wire.caption)
        banner.description = unpacker.text(wire.description)
        banner.image = unpacker.image(wire.image)
        banner.link = unpacker.text(wire.link)
        banner.actions = try unpacker.messages(wire.n_actions, wire.actions)
        return banner
    }
}

extension TextContent: ProtobufConvertible {
    func write(to wire: inout Proto.TextBody, with packer: Packer) {
        wire.text = packer.text(text)
        wire.highlighted = packer.text(highlighted)
        wire.action = packer.message(action)
    }

    static func read(_ wire: Proto.TextBody, with unpacker: Unpacker) throws(WireError) -> TextContent {
        TextContent(
            text: unpacker.text(wire.text) ?? "", highlighted: unpacker.text(wire.highlighted),
            action: try unpacker.message(wire.action))
    }
}

extension CourseContent: ProtobufConvertible {
    func write(to wire: inout Proto.CourseBody, with packer: Packer) {
        wire.title = packer.text(title)
        wire.author = packer.text(author)
        (wire.has_rating, wire.rating) = packer.real(rating)
        (wire.has_reviews, wire.reviews) = packer.number(reviews)
        wire.price = packer.text(price)
        wire.tag = packer.text(tag)
        wire.image = packer.image(image, .image)
    }

    static func read(_ wire: Proto.CourseBody, with unpacker: Unpacker) throws(WireError) -> CourseContent {
        var course = CourseContent(title: unpacker.text(wire.title) ?? "")
        course.author = unpacker.text(wire.author)
        course.rating = unpacker.real(wire.has_rating, wire.rating)
        course.reviews = unpacker.number(wire.has_reviews, wire.reviews)
        course.price = unpacker.text(wire.price)
        course.tag = unpacker.text(wire.tag)
        course.image = unpacker.image(wire.image)
        return course
    }
}

extension PlaceContent: ProtobufConvertible {
    func write(to wire: inout Proto.PlaceBody, with packer: Packer) {
        wire.title = packer.text(title)
        wire.distance = packer.text(distance)
        wire.image = packer.image(image, .image)
    }

    static func read(_ wire: Proto.PlaceBody, with unpacker: Unpacker) throws(WireError) -> PlaceContent {
        PlaceContent(
            title: unpacker.text(wire.title) ?? "", distance: unpacker.text(wire.distance),
            image: unpacker.image(wire.image))
    }
}
