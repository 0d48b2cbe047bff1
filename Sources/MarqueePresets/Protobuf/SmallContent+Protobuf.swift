internal import CMarqueePresets
internal import MarqueeModel
internal import MarqueeWire

// The C forms of items with few fields.

extension GenreContent: PresetBody {
    func write(to wire: inout PresetProto.GenreBody, with packer: Packer) {
        (wire.has_id, wire.id) = packer.number(id)
        wire.name = packer.text(name)
        wire.image = packer.image(image, .image)
        (wire.has_movies, wire.movies) = packer.number(movies == 0 ? nil : movies)
    }

    static func read(_ wire: PresetProto.GenreBody, with unpacker: Unpacker) -> GenreContent {
        GenreContent(
            id: unpacker.number(wire.has_id, wire.id), name: unpacker.text(wire.name) ?? "",
            image: unpacker.image(wire.image), movies: unpacker.number(wire.has_movies, wire.movies) ?? 0)
    }
}

extension CreditContent: PresetBody {
    func write(to wire: inout PresetProto.CreditBody, with packer: Packer) {
        (wire.has_person, wire.person) = packer.number(person)
        wire.name = packer.text(name)
        wire.character = packer.text(character)
        wire.job = packer.text(job)
        wire.portrait = packer.image(portrait, .portrait)
    }

    static func read(_ wire: PresetProto.CreditBody, with unpacker: Unpacker) -> CreditContent {
        CreditContent(
            person: unpacker.number(wire.has_person, wire.person), name: unpacker.text(wire.name) ?? "",
            character: unpacker.text(wire.character), job: unpacker.text(wire.job),
            portrait: unpacker.image(wire.portrait))
    }
}

extension BannerContent: PresetBody {
    func write(to wire: inout PresetProto.BannerBody, with packer: Packer) {
        wire.title = packer.text(title)
        wire.caption = packer.text(caption)
        wire.description = packer.text(description)
        wire.image = packer.image(image, .image)
        wire.link = packer.text(link)
        (wire.n_actions, wire.actions) = packer.actions(actions)
    }

    static func read(_ wire: PresetProto.BannerBody, with unpacker: Unpacker) -> BannerContent {
        var banner = BannerContent(title: unpacker.text(wire.title) ?? "")
        banner.caption = unpacker.text(wire.caption)
        banner.description = unpacker.text(wire.description)
        banner.image = unpacker.image(wire.image)
        banner.link = unpacker.text(wire.link)
        banner.actions = unpacker.actions(wire.n_actions, wire.actions)
        return banner
    }
}

extension TextContent: PresetBody {
    func write(to wire: inout PresetProto.TextBody, with packer: Packer) {
        wire.text = packer.text(text)
        wire.highlighted = packer.text(highlighted)
        wire.action = packer.action(action)
    }

    static func read(_ wire: PresetProto.TextBody, with unpacker: Unpacker) -> TextContent {
        TextContent(
            text: unpacker.text(wire.text) ?? "", highlighted: unpacker.text(wire.highlighted),
            action: unpacker.action(wire.action))
    }
}

extension CourseContent: PresetBody {
    func write(to wire: inout PresetProto.CourseBody, with packer: Packer) {
        wire.title = packer.text(title)
        wire.author = packer.text(author)
        (wire.has_rating, wire.rating) = packer.real(rating)
        (wire.has_reviews, wire.reviews) = packer.number(reviews)
        wire.price = packer.text(price)
        wire.currency = packer.text(currency)
        wire.tag = packer.text(tag)
        wire.image = packer.image(image, .image)
    }

    static func read(_ wire: PresetProto.CourseBody, with unpacker: Unpacker) -> CourseContent {
        var course = CourseContent(title: unpacker.text(wire.title) ?? "")
        course.author = unpacker.text(wire.author)
        course.rating = unpacker.real(wire.has_rating, wire.rating)
        course.reviews = unpacker.number(wire.has_reviews, wire.reviews)
        course.price = unpacker.text(wire.price)
        course.currency = unpacker.text(wire.currency)
        course.tag = unpacker.text(wire.tag)
        course.image = unpacker.image(wire.image)
        return course
    }
}

extension PlaceContent: PresetBody {
    func write(to wire: inout PresetProto.PlaceBody, with packer: Packer) {
        wire.title = packer.text(title)
        wire.distance = packer.text(distance)
        wire.image = packer.image(image, .image)
    }

    static func read(_ wire: PresetProto.PlaceBody, with unpacker: Unpacker) -> PlaceContent {
        PlaceContent(
            title: unpacker.text(wire.title) ?? "", distance: unpacker.text(wire.distance),
            image: unpacker.image(wire.image))
    }
}
