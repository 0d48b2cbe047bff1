/** The messages of a section's layout, needed only by pages that lay out sections. */

import { declare } from "./schema.js";

declare(`
Dimension unit:u value:d
Insets top:d leading:d bottom:d trailing:d
Spacing points:d flexible:o
EdgeSpacing top:Spacing leading:Spacing bottom:Spacing trailing:Spacing
Anchor edges:u x:d y:d fractional:o
Supplementary kind width:Dimension height:Dimension anchor:Anchor insets:Insets pinned:o zIndex:d
LayoutNode type:u width:Dimension height:Dimension insets:Insets spacing:d count:u children:u* badges:Supplementary*
  flexibleSpacing:o edgeSpacing:EdgeSpacing
Layout nodes:LayoutNode* insets:Insets spacing:d scrolling:u supplementaries:Supplementary* decoration
  decorationInsets:Insets decorationZIndex:d insetsReference:u
`);
