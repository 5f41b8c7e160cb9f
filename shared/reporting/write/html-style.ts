import type { Markup } from '#shared/platform/runtime/markup.ts';
import type { ReportDocument } from '../document.ts';
import { COLOURS, legible, mix, SUNK } from './palette.ts';

/** The style of a page in the colours of the organization: light, dark, and on paper. Its texts are ours, and escape nothing. */
export function styleOf({ colour, accent }: Pick<ReportDocument['brand'], 'colour' | 'accent'>): Markup {
  const light = mix(COLOURS.ground[0], legible(colour, COLOURS.ground[0]), 0.1);
  const dark = mix(COLOURS.ground[1], legible(colour, COLOURS.ground[1]), 0.16);
  const pairs: Record<string, readonly [string, string]> = {
    ...COLOURS,
    sunk: SUNK,
    brand: [legible(colour, SUNK[0]), legible(colour, SUNK[1])],
    accent: [legible(accent, COLOURS.ground[0], 3), legible(accent, COLOURS.ground[1], 3)],
    tint: [light, dark],
    secret: [legible(colour, light), legible(colour, dark)],
    better: [legible(COLOURS.good[0], SUNK[0]), legible(COLOURS.good[1], SUNK[1])],
    worse: [legible(COLOURS.bad[0], SUNK[0]), legible(COLOURS.bad[1], SUNK[1])],
    stable: COLOURS.soft,
  };
  const names = Object.keys(pairs);
  const variables = Object.entries(pairs).map(([name, pair]) => `--${name}:light-dark(${pair.join()})`);
  const inks = names.map((name) => `.f-${name}{fill:var(--${name})}.s-${name}{stroke:var(--${name})}`);
  return { markup: `:root{color-scheme:light dark;${variables.join(';')}}${inks.join('')}${RULES}${WIDTHS.join('')}` };
}

/** A table of many columns is scrolled where it has no room. */
const WIDTHS = Array.from({ length: 12 }, (_, n) => `@media screen{.columns-${n + 1}{min-width:${(n + 1) * 100}px}}`);

const RULES = `
*{box-sizing:border-box}
html{background:var(--ground);color:var(--ink);font:15px/1.55 "Noto Sans",system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
body{margin:0 auto;padding:0 20px 48px;max-width:920px}
header{border-top:8px solid var(--accent);padding:24px 0 20px;border-bottom:1px solid var(--line)}
.sender{display:flex;flex-wrap:wrap;gap:12px 16px;align-items:center;color:var(--brand)}
.sender img{max-height:44px;max-width:180px}
.secret{margin-left:auto;padding:3px 12px;border-radius:4px;background:var(--tint);color:var(--secret);font-size:12px;font-weight:700;letter-spacing:.03em}
h1{margin:32px 0 4px;font-size:clamp(28px,5vw,42px);line-height:1.15}
h2{margin:0 0 18px;font-size:24px;line-height:1.25}
h3{margin:0 0 8px;font-size:16px;line-height:1.35}
h3.entry{margin-top:28px}
p{margin:0 0 10px}
a{color:var(--brand);text-underline-offset:2px}
a:focus-visible,[tabindex]:focus-visible,summary:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
.subtitle{font-size:19px;color:var(--soft);margin-bottom:2px}
.as-of,.appendix,.soft,figcaption,footer,.decisions span,.label{color:var(--soft)}
.as-of,.soft{font-size:13px;margin:0}p.soft{margin-bottom:8px}
.appendix{margin:0;font-size:13px;font-weight:600}
nav ol{display:flex;flex-wrap:wrap;gap:4px 20px;margin:16px 0 0;padding:0;list-style:none;font-size:14px}
section{margin-top:52px;scroll-margin-top:16px}
section::before{content:"";display:block;width:34px;height:4px;margin-bottom:12px;background:var(--accent)}
.verdict{display:flex;gap:18px;align-items:center;margin:0 0 18px;padding:18px 22px;border-left:5px solid var(--soft);background:var(--sunk)}
.verdict p{margin:0;font-size:20px;font-weight:600;line-height:1.4}
.verdict strong{display:block;font-size:13px}
.verdict .sign{flex:none;width:34px;height:34px}
.verdict.better{border-color:var(--good)}.verdict.worse{border-color:var(--bad)}
.better strong,.change.better{color:var(--better)}.worse strong,.change.worse{color:var(--worse)}.stable strong,.change.stable,.change.none{color:var(--stable)}
.sign{width:14px;height:14px;flex:none}
.sign circle{fill:var(--neutral)}
.better .sign circle{fill:var(--good)}.worse .sign circle{fill:var(--bad)}
.sign path{fill:none;stroke:var(--ground);stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,230px),1fr));gap:12px;margin:0 0 18px;padding:0;list-style:none}
.tiles li{display:flex;flex-direction:column;gap:2px;padding:14px 16px;border-radius:6px;background:var(--sunk)}
.label{font-size:13px}
.value{font-size:30px;font-weight:700;line-height:1.2;font-variant-numeric:tabular-nums}
.value a{text-decoration:none}.value a:hover{text-decoration:underline}
.change{display:flex;gap:6px;align-items:center;font-size:13px}
.tiles svg:not(.sign){width:100%;height:auto;margin-top:auto;padding-top:8px}
.decisions{margin:0 0 18px;padding:0;list-style:none;counter-reset:decision}
.decisions li{position:relative;padding:0 0 16px 46px;counter-increment:decision}
.decisions li::before{content:counter(decision);position:absolute;left:0;top:0;width:30px;height:30px;border-radius:50%;background:var(--brand);color:var(--ground);font-weight:700;line-height:30px;text-align:center}
.decisions strong,.decisions span{display:block}
.decisions span{font-size:13px}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:0 36px}
figure{margin:0 0 28px;min-width:0}
figure svg{display:block;width:100%;height:auto}
figcaption{margin-top:6px;font-size:14px}
.scroll{overflow-x:auto}
.wide svg{min-width:620px}
details{margin-top:6px;font-size:13px}
summary{cursor:pointer;color:var(--soft)}
table{width:100%;table-layout:fixed;margin-bottom:8px;border-collapse:collapse;font-size:14px}
th,td{padding:7px 10px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
thead th,thead td{background:var(--sunk);color:var(--soft);font-size:13px;font-weight:600;vertical-align:bottom}
tbody th{font-weight:400}
.right{text-align:right;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:minmax(120px,200px) 1fr;gap:6px 16px;margin:12px 0;font-size:14px}
dt{color:var(--soft);font-weight:600}dd{margin:0}
footer{margin-top:56px;padding-top:12px;border-top:1px solid var(--line);font-size:13px}
.f-none{fill:none}.s-none{stroke:none}.strong{font-weight:600}
path{stroke-linejoin:round;stroke-linecap:round}
@page{size:A4;margin:16mm}
@media print{
:root{color-scheme:light}
html{font-size:11px;print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{max-width:none;padding:0}
nav,details{display:none}
section{margin-top:28px}
.starts-page{break-before:page}
h2,h3{break-after:avoid}
figure,.tiles li,.decisions li,.verdict,tr{break-inside:avoid}
thead{display:table-header-group}
.scroll{overflow:visible}.wide svg{min-width:0}
}
`;
