internal import CCairo
internal import CPango
import MarqueeLayout
import MarqueePresentation

extension Canvas {
    /// Families in the order in which they are looked for; each letter comes from the first that has it. The last ones are on almost every machine.
    private static let families = "Inter, Noto Sans, Noto Sans CJK KR, DejaVu Sans, sans-serif"

    /// Sets a text in its box: from the top, at most its lines, with an ellipsis where it is longer.
    func draw(_ text: Text, in rect: LayoutRect) {
        guard !text.string.isEmpty, rect.width > 0, rect.height > 0,
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
            cairo_translate(context, rect.x, rect.y)
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
        pango_layout_set_text(layout, text.string, Int32(clamping: text.string.utf8.count))
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
        if let highlight = text.highlight, let range = text.string.firstRange(of: highlight.part) {
            func part(_ value: Double) -> UInt16 { UInt16(clamping: Int((value * 65_535).rounded())) }
            let color = highlight.color
            if let attribute = pango_attr_foreground_new(part(color.red), part(color.green), part(color.blue)) {
                let start = text.string.utf8.distance(from: text.string.startIndex, to: range.lowerBound)
                let end = text.string.utf8.distance(from: text.string.startIndex, to: range.upperBound)
                attribute.pointee.start_index = UInt32(clamping: start)
                attribute.pointee.end_index = UInt32(clamping: end)
                pango_attr_list_insert(attributes, attribute)
            }
        }
        pango_layout_set_attributes(layout, attributes)
    }
}
