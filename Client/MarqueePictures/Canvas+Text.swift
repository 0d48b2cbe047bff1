internal import CCairo
internal import CPango
import MarqueeLayout
import MarqueePresentation

extension Canvas {
    /// Families in the order in which they are looked for; each letter comes from the first that has it. The last ones are on almost every machine.
    private static let families = "Inter, Noto Sans, Noto Sans CJK KR, DejaVu Sans, sans-serif"

    /// Sets a text in its box, at most its lines, with an ellipsis where it is longer. Letters larger than `PictureLimits` are left out.
    func draw(_ text: Text, in rect: LayoutRect) {
        guard !text.string.isEmpty, rect.width > 0, rect.height > 0, text.size > 0, text.size <= PictureLimits.letter,
            let layout = pango_cairo_create_layout(context)
        else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        prepare(layout, text, width: text.isVertical ? rect.height : rect.width)
        cairo_save(context)
        defer { cairo_restore(context) }
        if text.isVertical {
            // Along the box, in its middle.
            cairo_translate(context, rect.x + (rect.width - text.lineHeight) / 2, rect.maxY)
            cairo_rotate(context, -.pi / 2)
        } else {
            var height: Int32 = 0
            pango_layout_get_size(layout, nil, &height)
            let room = rect.height - Double(height) / Double(PANGO_SCALE)
            let above =
                switch text.anchor {
                case .top: 0.0
                case .middle: room / 2
                case .bottom: room
                }
            cairo_translate(context, rect.x, rect.y + above)
        }
        cairo_move_to(context, 0, 0)
        if let outline = text.outline {
            pango_cairo_layout_path(context, layout)
            set(outline)
            cairo_set_line_width(context, text.size * 0.07)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_stroke_preserve(context)
            set(text.color)
            cairo_fill(context)
        } else {
            set(text.color)
            pango_cairo_show_layout(context, layout)
        }
    }

    private func prepare(_ layout: OpaquePointer, _ text: Text, width: Double) {
        let string = keepingWords(text.string)
        pango_layout_set_text(layout, string, Int32(clamping: string.utf8.count))
        let font = pango_font_description_from_string(Self.families)
        defer { pango_font_description_free(font) }
        pango_font_description_set_absolute_size(font, text.size * Double(PANGO_SCALE))
        pango_font_description_set_weight(font, PangoWeight(rawValue: PangoWeight.RawValue(text.weight.rawValue)))
        if text.isItalic { pango_font_description_set_style(font, PANGO_STYLE_ITALIC) }
        pango_layout_set_font_description(layout, font)
        pango_layout_set_width(layout, Int32(clamping: Int(width * Double(PANGO_SCALE))))
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        // Negative: lines instead of points.
        pango_layout_set_height(layout, -Int32(clamping: max(1, text.lines)))
        let alignment =
            switch text.alignment {
            case .leading: PANGO_ALIGN_LEFT
            case .center: PANGO_ALIGN_CENTER
            case .trailing: PANGO_ALIGN_RIGHT
            }
        pango_layout_set_alignment(layout, alignment)
        let attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        pango_attr_list_insert(
            attributes, pango_attr_line_height_new_absolute(Int32(clamping: Int(text.lineHeight * Double(PANGO_SCALE))))
        )
        if let highlight = text.highlight, let range = string.firstRange(of: keepingWords(highlight.part)) {
            func part(_ value: Double) -> UInt16 { UInt16(clamping: Int((value * 65_535).rounded())) }
            let color = highlight.color
            if let attribute = pango_attr_foreground_new(part(color.red), part(color.green), part(color.blue)) {
                let start = string.utf8.distance(from: string.startIndex, to: range.lowerBound)
                let end = string.utf8.distance(from: string.startIndex, to: range.upperBound)
                attribute.pointee.start_index = UInt32(clamping: start)
                attribute.pointee.end_index = UInt32(clamping: end)
                pango_attr_list_insert(attributes, attribute)
            }
        }
        pango_layout_set_attributes(layout, attributes)
    }

    /// The text with its Korean words held together. Between two syllables a line may break, but readers expect it at spaces, as everywhere else;
    /// a word that is wider than its line is broken all the same.
    private func keepingWords(_ string: String) -> String {
        let syllables: ClosedRange<Unicode.Scalar> = "\u{AC00}"..."\u{D7A3}"
        guard string.unicodeScalars.contains(where: { syllables.contains($0) }) else { return string }
        var joined = String.UnicodeScalarView()
        for scalar in string.unicodeScalars {
            if let last = joined.last, syllables.contains(last), syllables.contains(scalar) {
                joined.append("\u{2060}")
            }
            joined.append(scalar)
        }
        return String(joined)
    }
}
