internal import CCairo
internal import CPango
import MarqueeLayout
import MarqueePresentation

extension CairoCanvas {
    /// Font families by preference; each letter comes from the first that has it. The last ones are installed almost
    /// everywhere.
    private static let families = "Inter, Noto Sans, Noto Sans CJK KR, DejaVu Sans, sans-serif"

    /// How far letters may shrink to fit a line broken for a narrower font; a line that is still too long gets an
    /// ellipsis.
    private static let smallestShrink = 0.75

    /// Draws a text in its box. `TextRuler` has already broken its lines; if the font is wider than expected, the
    /// letters shrink. Letters larger than `PictureLimits` are left out.
    func draw(_ text: Text, in rect: LayoutRect) {
        guard !text.string.isEmpty, rect.width > 0, rect.height > 0, text.size > 0, text.size <= PictureLimits.letter,
            let layout = pango_cairo_create_layout(context)
        else { return }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        prepare(layout, text, width: text.isVertical ? rect.height : rect.width)
        cairo_save(context)
        defer { cairo_restore(context) }
        if text.isVertical {
            // Along the box, centred.
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
        let string = text.string
        pango_layout_set_text(layout, string, Int32(clamping: string.utf8.count))
        let font = pango_font_description_from_string(Self.families)
        defer { pango_font_description_free(font) }
        pango_font_description_set_absolute_size(font, text.size * Double(PANGO_SCALE))
        pango_font_description_set_weight(font, PangoWeight(rawValue: PangoWeight.RawValue(text.weight.rawValue)))
        if text.isItalic { pango_font_description_set_style(font, PANGO_STYLE_ITALIC) }
        pango_layout_set_font_description(layout, font)
        var natural: Int32 = 0
        pango_layout_get_size(layout, &natural, nil)
        let available = width * Double(PANGO_SCALE)
        if Double(natural) > available {
            let shrink = max(available / Double(natural), Self.smallestShrink)
            pango_font_description_set_absolute_size(font, text.size * shrink * Double(PANGO_SCALE))
            pango_layout_set_font_description(layout, font)
        }
        // One more unit, or rounding could truncate a line that fits.
        pango_layout_set_width(layout, Int32(clamping: Int(available.rounded(.up)) + Int(PANGO_SCALE)))
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        // Negative: lines per paragraph, and every line is its own paragraph.
        pango_layout_set_height(layout, -1)
        align(layout, text)
        let attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        pango_attr_list_insert(
            attributes, pango_attr_line_height_new_absolute(Int32(clamping: Int(text.lineHeight * Double(PANGO_SCALE))))
        )
        // A highlighted part may continue on the next line.
        let unbroken = string.replacing("\n", with: " ")
        if let highlight = text.highlight, let range = unbroken.firstRange(of: highlight.part) {
            func part(_ value: Double) -> UInt16 { UInt16(clamping: Int((value * 65_535).rounded())) }
            let color = highlight.color
            if let attribute = pango_attr_foreground_new(part(color.red), part(color.green), part(color.blue)) {
                let start = unbroken.utf8.distance(from: unbroken.startIndex, to: range.lowerBound)
                let end = unbroken.utf8.distance(from: unbroken.startIndex, to: range.upperBound)
                attribute.pointee.start_index = UInt32(clamping: start)
                attribute.pointee.end_index = UInt32(clamping: end)
                pango_attr_list_insert(attributes, attribute)
            }
        }
        pango_layout_set_attributes(layout, attributes)
    }

    /// Sets the text's alignment. The screen decides it: by itself, Pango swaps left and right for a line in Arabic or
    /// Hebrew.
    private func align(_ layout: OpaquePointer, _ text: Text) {
        let first = pango_layout_get_line_readonly(layout, 0).map { pango_layout_line_get_resolved_direction($0) }
        // The letters of all lines are in the first one's order, whatever they begin with.
        pango_layout_set_auto_dir(layout, 0)
        pango_context_set_base_dir(pango_layout_get_context(layout), first ?? PANGO_DIRECTION_LTR)
        pango_layout_context_changed(layout)
        let alignment =
            switch text.alignment {
            case .leading: PANGO_ALIGN_LEFT
            case .center: PANGO_ALIGN_CENTER
            case .trailing: PANGO_ALIGN_RIGHT
            }
        pango_layout_set_alignment(layout, alignment)
    }
}
