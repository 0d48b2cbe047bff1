// The element's style sheet. The page can override each colour with a custom property, `--marquee-` and its name.

/** Colours by scheme; test/screen.test.js checks their contrast.
 * @type {Record<"light" | "dark", Record<string, string>>} */
export const palette = {
  light: {
    background: "#ffffff", surface: "#f2f3f7", placeholder: "#e6e8ee", text: "#16181d", secondary: "#5b616e",
    accent: "#5624d0", "on-accent": "#ffffff", "accent-text": "#5624d0", star: "#b87300", warning: "#b3261e",
    rose: "#19713d", fell: "#b91d33", track: "#c9ccd6",
  },
  dark: {
    background: "#0e0f13", surface: "#1c1e25", placeholder: "#23262e", text: "#f5f6f8", secondary: "#a0a5b1",
    accent: "#c9292d", "on-accent": "#ffffff", "accent-text": "#ff7a7c", star: "#ffc83d", warning: "#ff8a65",
    rose: "#54cf86", fell: "#ff7d8c", track: "#4a4e5a",
  },
};

/** Background and text colours of badges, by role.
 * @type {Record<string, [string, string]>} */
export const badgeColors = {
  neutral: ["#636a78", "#ffffff"], good: ["#1f7a43", "#ffffff"], warning: ["#f2c230", "#1a1a1a"],
  bad: ["#c41f34", "#ffffff"], highlight: ["#eceb98", "#3d3c0a"],
};

/** @param {"light" | "dark"} scheme */
const variables = (scheme) => Object.entries(palette[scheme])
  .map(([name, color]) => `--${name}:var(--marquee-${name},${color});`).join("");

const css = `
:host{display:block;position:relative;block-size:var(--marquee-height,100dvh);color-scheme:light dark;
 ${variables("light")}
 --radius:var(--marquee-radius,8px);--duration:var(--marquee-duration,.35s);
 font-family:var(--marquee-font,Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif);
 font-size:15px;line-height:20px;color:var(--text);background:var(--background);-webkit-text-size-adjust:100%}
:host([hidden]){display:none}
@media (prefers-color-scheme:dark){:host(:not([theme=light])){${variables("dark")}}}
:host([theme=light]){color-scheme:light}
:host([theme=dark]){color-scheme:dark;${variables("dark")}}
*,*::before,*::after{box-sizing:border-box}
h2,p,dl,dd,dt,ul{margin:0;padding:0;font:inherit}
button{font:inherit;color:inherit;background:none;border:0;padding:0;margin:0;cursor:pointer;text-align:inherit;
 -webkit-tap-highlight-color:transparent}
:focus-visible{outline:3px solid var(--accent-text);outline-offset:2px}
.card:focus-visible{outline:3px solid transparent;outline-offset:-3px}
.card:focus-visible::after{content:"";position:absolute;z-index:4;inset:0;border-radius:inherit;pointer-events:none;
 box-shadow:inset 0 0 0 3px var(--accent-text),inset 0 0 0 5px var(--background)}
.poster:focus-visible::after,.numbered:focus-visible::after,.person:focus-visible::after,.course:focus-visible::after,
.place:focus-visible::after{inset:-5px;border-radius:calc(var(--radius) + 4px)}
@media (forced-colors:active){.card,.badge,.order,.action{border:1px solid}}
.scroller{position:absolute;inset:0;overflow-x:hidden;overflow-y:auto;overflow-anchor:none;outline-offset:-3px}
.canvas{position:relative;overflow:hidden;overflow:clip}
.section{position:absolute;top:0;left:0;width:100%;isolation:isolate}
.background,.header,.footer,.side,.item,.view-badge{position:absolute;top:0;left:0}
.background{background:color-mix(in srgb,var(--surface) 55%,var(--background))}
.sideways{position:absolute;left:0;width:100%;overflow-x:auto;overflow-y:hidden;direction:ltr;scrollbar-width:none;
 overscroll-behavior-x:contain}
.sideways::-webkit-scrollbar{display:none}
.sideways.snaps{scroll-snap-type:x mandatory}
.content{position:relative;height:100%;overflow:clip}
.stop{position:absolute;top:0;height:1px;scroll-snap-align:start;pointer-events:none}
.sideways.single .stop{scroll-snap-stop:always}
.section,.item{contain:layout style}
.item{direction:var(--direction)}
.root.animated .item,.root.animated .view-badge,.root.animated .header,.root.animated .footer{
 transition:translate var(--duration) cubic-bezier(.2,.7,.3,1),opacity var(--duration),scale var(--duration)}
.root.animated .item{will-change:translate}
.item.entering{opacity:0;scale:.94}
.item.leaving{opacity:0;scale:.94;pointer-events:none}
.item.moved{z-index:1}
@media (prefers-reduced-motion:reduce){.root.animated *{transition:none!important}.placeholder{
 animation:none!important}}
.pin{position:absolute;left:0;width:100%;pointer-events:none}
.pin>*{position:sticky;pointer-events:auto}
.pin.bottom{display:flex;flex-direction:column;justify-content:flex-end}
.pin .header,.pin .footer{background:var(--background)}
.decorated .pin .header,.decorated .pin .footer{background:color-mix(in srgb,var(--surface) 55%,var(--background))}
.quiet{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}

.header{display:flex;align-items:center;gap:14px;padding-inline:var(--margin,0)}
.header-title{flex:1 1 auto;min-width:60px;font-size:20px;line-height:26px;font-weight:700;letter-spacing:-.01em;
 overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1}
.header.measured .header-title{-webkit-line-clamp:6}
.header.measured{padding-block:9px}
.header.low .header-title{font-size:18px;line-height:22px}
.header-action{flex:none;font-size:13px;font-weight:600;color:var(--accent-text);padding:4px 2px;min-height:24px}
.orders{flex:0 1 auto;display:flex;gap:7px;overflow-x:auto;scrollbar-width:none;padding:3px}
.order{flex:none;font-size:12px;line-height:16px;font-weight:600;padding:4px 11px;border-radius:13px;
 color:var(--secondary);
 box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--secondary) 55%,transparent)}
.order[aria-pressed=true]{background:var(--accent);color:var(--on-accent);box-shadow:none}
.header-error{font-size:12px;line-height:16px;color:var(--warning);flex:0 1 auto}
.footer{display:flex;align-items:center;justify-content:center;text-align:center}
.footer.measured{padding-block:9px}
.footer-words{max-width:100%;font-size:14px;line-height:18px;font-weight:600;border-radius:18px;
 background:var(--surface);
 padding:9px 18px;overflow:hidden;display:flex;align-items:center;gap:8px}
.footer-words .icon{width:12px;height:12px;color:var(--secondary)}
.side{display:flex;align-items:flex-start}
.side-words{writing-mode:vertical-rl;width:min(100%,26px);height:100%;display:flex;align-items:center;
 justify-content:center;
 background:color-mix(in srgb,var(--surface) 85%,transparent);border-radius:13px;color:var(--accent-text);
 font-size:13px;
 font-weight:700;overflow:hidden;white-space:nowrap}
.side.wide .side-words{writing-mode:horizontal-tb;width:100%;height:min(100%,26px)}

.card{position:relative;display:flex;width:100%;height:100%;border-radius:var(--radius);text-align:start;cursor:default;
 overflow:hidden;-webkit-user-select:none;user-select:none}
.card[role=link]{cursor:pointer}
.item:focus-within{z-index:2}
.image{position:relative;flex:none;overflow:hidden;background:var(--placeholder)}
.image .artwork,.image img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover;display:block}
.words{flex:1 1 0;min-width:0;min-height:0;display:flex;flex-direction:column;justify-content:center}
.title,.line,.overline,.prose{overflow:hidden;flex:none;white-space:nowrap;text-overflow:ellipsis}
.title{font-weight:600}
.two,.three,.five,.prose.short{white-space:normal;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;
 overflow-wrap:anywhere}
.three{-webkit-line-clamp:3}.five{-webkit-line-clamp:5}
.line,.overline{font-size:12px;line-height:16px;color:var(--secondary)}
.overline{font-weight:600}
.marks{display:flex;align-items:center;gap:6px;font-size:12px;line-height:16px;color:var(--secondary);min-height:20px;
 overflow:hidden;flex:none;white-space:nowrap}
.on-line{display:flex;gap:5px;min-width:0;overflow:hidden}
.rating{display:inline-flex;align-items:center;gap:3px;flex:none}
.rating.with-fact,.marks .line{flex:0 1 auto;min-width:0}
.icon{width:1em;height:1em;flex:none;fill:none;stroke:currentColor;stroke-width:2.6;stroke-linecap:round;
 stroke-linejoin:round;display:block}
.icon.filled{fill:currentColor;stroke:none}
.rating .icon{width:13px;height:13px;color:var(--star)}
.badge{flex:none;font-size:11px;line-height:17px;font-weight:700;padding:0 6px;border-radius:4px;max-width:100%;
 overflow:hidden;text-overflow:ellipsis;white-space:nowrap;background:var(--fill,var(--accent));
 color:var(--on,var(--on-accent))}
${Object.entries(badgeColors).map(([role, [fill, on]]) => `.badge.${role}{--fill:${fill};--on:${on}}`).join("")}
.movement{display:inline-flex;align-items:center;gap:2px;font-weight:700;flex:none;color:var(--secondary);
 font-size:12px;
 line-height:16px}
.movement.rose{color:var(--rose)}.movement.fell{color:var(--fell)}.movement.new{color:var(--accent-text)}
.bar{position:absolute;inset-inline:0;bottom:0;height:3px;background:var(--track)}
.bar>*{height:100%;background:var(--accent-text)}
.price{flex:none;font-weight:700}
.facts{display:flex;flex:none}
.fact{width:46px;padding-inline-end:8px;display:flex;flex-direction:column;justify-content:center;text-align:end;
 font-weight:600;white-space:nowrap}
.fact>*{overflow:hidden;text-overflow:ellipsis}
.fact:only-child{width:auto;min-width:46px;max-width:10em}
.fact-label{font-size:10px;line-height:13px;font-weight:400;color:var(--secondary)}
.fact-value{order:-1}

.row{background:var(--surface);align-items:stretch}
.row .words{padding-inline:12px}
.row .price{align-self:center;padding-inline-end:12px}
.row.starred,.numbered.starred{padding-inline-end:32px}
.numbered{border-radius:0;align-items:stretch;overflow:visible}
.number{flex:none;width:1.6em;align-self:center;font-weight:800;font-size:var(--number,20px);line-height:1.1;
 letter-spacing:-.02em;overflow:hidden;white-space:nowrap}
.numbered .words{padding-inline:4px 8px}
.numbered .marks{min-height:16px}
.numbered .image{border-radius:var(--radius)}
.numbered.pictured .words{padding-inline-start:12px}
.poster{flex-direction:column;border-radius:0;overflow:visible}
.poster .image{border-radius:var(--radius);width:100%}
.poster .words{justify-content:flex-start;padding-top:5px;flex:1 1 auto}
.poster .title{font-size:13px;line-height:17px}
.poster .line,.poster .overline,.poster .marks{font-size:11px;line-height:15px;min-height:15px}
.poster .price{font-size:13px;line-height:17px}
.on-image{position:absolute;z-index:1;inset-inline-start:7px;top:7px;max-width:calc(100% - 14px);display:flex;gap:5px}
.lettered .words{position:absolute;inset:auto 0 0;padding:34px 10px 12px;text-align:center;flex:none;
 background:linear-gradient(#0e0f1300,#0e0f13c0 34px,#0e0f13e6);border-radius:0 0 var(--radius) var(--radius)}
.lettered .title{color:#fff;font-weight:700}
.figure{position:absolute;z-index:1;inset-inline-start:8px;line-height:1;font-weight:800;color:#fff;paint-order:stroke;
 -webkit-text-stroke:3px #000c}
.behind{border-radius:0;justify-content:flex-end}
.behind .image{border-radius:var(--radius)}
.behind .words{inset-inline-start:auto;inset-inline-end:0}
.behind .figure{inset-inline-start:0;bottom:0;z-index:-1;color:var(--background);
 -webkit-text-stroke:3px var(--secondary);
 letter-spacing:-.05em}
.tile{border-radius:12px;align-items:center;justify-content:center;text-align:center}
.tile .image{position:absolute;inset:0}
.tile .image::after,.hero .image::after{content:"";position:absolute;inset:0;background:#0000008c}
.tile .words{position:relative;z-index:1;padding:4px 6px;color:#fff}
.tile .title{font-weight:700;font-size:var(--letter,15px);line-height:1.25}
.tile .line{color:#ffffffe0;font-size:11px}
.person{align-items:center;gap:8px;border-radius:0;overflow:visible}
.person .image{border-radius:50%}
.person .title{font-size:12.5px;line-height:16px}
.person .line{font-size:11px;line-height:14px}
.hero{border-radius:0;flex-direction:column;justify-content:flex-end;color:#fff}
.hero .image{position:absolute;inset:0;height:100%!important;width:100%!important}
.hero .image::after{background:linear-gradient(#000b,#0009 44px,#0000 110px),linear-gradient(#0000 38%,#0e0f13 96%)}
.hero .words{position:relative;z-index:1;padding:48px 24px 16px;align-items:center;text-align:center;flex:none;
 gap:4px;background:linear-gradient(#0e0f1300,#0e0f13a6 48px,#0e0f13d9)}
.hero .title{font-size:30px;line-height:36px;font-weight:800;max-width:24em}
.hero .title.long{font-size:20px;line-height:26px;font-weight:700}
.hero .line,.hero .overline{color:#ffffffe6;font-size:14px;line-height:18px}
.hero .bar{position:static;width:min(100%,240px);height:4px;background:#fff5;border-radius:2px;margin-block:6px}
.buttons{display:flex;flex-wrap:wrap;gap:8px;margin-block:10px 14px}
.action{min-height:36px;padding:8px 16px;border-radius:18px;font-size:14px;line-height:20px;font-weight:600;
 box-shadow:inset 0 0 0 1px color-mix(in srgb,var(--secondary) 70%,transparent);display:inline-flex;align-items:center;
 gap:6px;max-width:100%}
.action.main{background:var(--accent);color:var(--on-accent);box-shadow:none}
.hero .buttons{justify-content:space-around;align-self:stretch;margin:8px 0 0}
.hero .action{box-shadow:none;flex-direction:column;gap:4px;font-size:11px;line-height:14px;padding:4px 10px;color:#fff}
.hero .action .icon{width:18px;height:18px}
.hero .action.main{background:#fff;color:#000;flex-direction:row;font-size:15px;font-weight:700;border-radius:6px;
 padding:8px 16px;align-self:center}
.hero .action.main .icon{width:14px;height:14px}
.menu{position:absolute;z-index:1;top:20px;inset-inline:15px 60px;display:flex;gap:24px;overflow:hidden}
.menu .action{font-size:15px;font-weight:600;flex-direction:row;padding:0 1px;min-height:24px}
.banner,.course,.place{flex-direction:column}
.banner .image,.course .image,.place:not(.beside) .image{flex:1 1 0;width:100%!important;min-height:0}
.banner .words,.course .words,.place .words{flex:none;justify-content:flex-start}
.banner{background:var(--surface);border-radius:0}
.banner .words{padding:12px 16px;gap:2px}
.banner .title{font-size:19px;line-height:24px;font-weight:700}
.banner .line{font-size:13px;line-height:18px}
.course,.place{border-radius:0;overflow:visible}
.course .image,.place .image{border-radius:4px}
.course .words,.place .words{padding-top:5px}
.course .title,.place .title{font-size:13px;line-height:17px}
.course .line,.place .line{font-size:11px;line-height:15px}
.course .marks{font-size:11px;min-height:16px}
.course .price{font-size:13px;line-height:18px}
.place.beside{flex-direction:row;align-items:center;gap:12px}
.place.beside .image{flex:none;border-radius:8px}
.place.beside .words{flex:1 1 0;padding:0;justify-content:center}
.place.lettered{border-radius:var(--radius)}
.detail{flex-direction:column;border-radius:0;height:auto;-webkit-user-select:text;user-select:text}
.detail{--inset:16px}
.detail.inset{--inset:0px}
.detail .top{display:flex;gap:14px;padding:16px var(--inset) 0}
.detail .top .image{border-radius:var(--radius)}
.detail>.image{width:100%!important}
.detail .top .words{justify-content:flex-start;padding-inline-end:52px}
.detail .title{font-size:22px;line-height:28px;font-weight:700;-webkit-line-clamp:4}
.detail .line{font-size:13px;line-height:17px}
.detail .overline{font-size:13px;line-height:17px}
.detail .marks{font-size:14px;line-height:18px;color:var(--text);font-weight:600;min-height:26px;flex-wrap:wrap;
 overflow:visible}
.detail .rest{padding:8px var(--inset) 16px}
.detail .prose{line-height:21px;color:color-mix(in srgb,var(--text) 90%,var(--background));white-space:normal}
.detail .more{color:var(--accent-text);font-weight:600;font-size:14px;min-height:24px}
.detail .table{display:grid;grid-template-columns:fit-content(40%) 1fr;gap:6px 10px;font-size:13px;line-height:17px;
 font-weight:600;margin-top:12px}
.detail dt{color:var(--secondary)}
.detail .bar{position:static;border-radius:2px;height:4px;margin-top:8px}
.detail .bar>*{border-radius:2px}

.favorite{position:absolute;z-index:3;inset-inline-end:4px;top:50%;width:28px;height:28px;margin-top:-14px;display:grid;
 place-items:center;color:var(--secondary);opacity:0;border-radius:50%;transition:opacity .15s}
.favorite .icon{width:20px;height:20px;fill:none;stroke:currentColor;stroke-width:2}
.favorite.on,.favorite.pending{color:var(--star)}
.favorite.on .icon{fill:currentColor;stroke:none}
.favorite.on,.favorite.pending,.item:hover .favorite,.item:focus-within .favorite,.favorite.always{opacity:1}
@media (hover:none){.favorite.off:not(.shy){opacity:.8}}
.favorite.over{top:6px;margin:0;inset-inline-end:6px;background:#000a;color:#ffffffe6}
.favorite.over.on,.favorite.over.pending{color:#ffc83d}
.favorite.over .icon{width:15px;height:15px}
.favorite.large{width:38px;height:38px;top:14px;inset-inline-end:16px}
.favorite.large .icon{width:22px;height:22px}
.view-badge{display:grid;place-items:center;border-radius:999px;background:var(--accent);color:var(--on-accent);
 font-size:12px;line-height:1;font-weight:700;overflow:hidden}
.view-badge.symbol{background:#fff;box-shadow:inset 0 0 0 2px #fff,inset 0 0 0 99px var(--mark,var(--accent))}
.view-badge.minus{--mark:#c4211f}
.view-badge .icon{width:58%;height:58%;color:#fff}
.placeholder{background:var(--placeholder);border-radius:var(--radius);width:100%;height:100%;
 animation:breathe 1.6s ease-in-out infinite alternate}
@keyframes breathe{from{opacity:1}to{opacity:.55}}
.notice{position:absolute;inset:0;display:grid;place-content:center;justify-items:center;gap:10px;padding:24px 15%;
 text-align:center;color:var(--secondary);font-weight:600;font-size:16px}
.notice.error{color:var(--warning)}
`;

/** @type {CSSStyleSheet | null} */
let sheet = null;

/** The style sheet, made once. A page's Content-Security-Policy doesn't apply to a sheet that a script constructs. */
export function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
}
