import { createHash } from 'node:crypto';
import { type Markup, markup } from '#shared/platform/runtime/markup.ts';
import type { ReportDocument, ReportSection } from '../document.ts';
import { formatOf } from './format.ts';
import { groupHtml, type Page } from './html-blocks.ts';
import { styleOf } from './html-style.ts';
import { WORDS } from './words.ts';

/** A report as one HTML file without scripts: it loads nothing, and may be opened from anywhere. */
export function writeHtml(report: ReportDocument): string {
  const page: Page = { report, words: WORDS[report.language], format: formatOf(report.language) };
  const style = styleOf(report.brand);
  return `<!doctype html>\n${pageOf(page, style).markup}\n`;
}

function pageOf(page: Page, style: Markup): Markup {
  const { report } = page;
  const policy = policyOf(style);
  return markup`<html lang="${report.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="author" content="${report.brand.organization}">
<title>${[report.title, report.subtitle].filter(Boolean).join(' · ')}</title>
<style>${style}</style>
</head>
<body>
${coverOf(page)}
${contentsOf(page)}
<main>
${report.sections.map((section) => sectionHtml(page, section))}
${provenanceOf(page)}
</main>
<footer>${report.brand.footer ?? report.brand.organization}</footer>
</body>
</html>`;
}

/** Nothing but this style, and pictures that the page itself has. */
function policyOf(style: Markup): string {
  const hash = createHash('sha256').update(style.markup).digest('base64');
  return `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`;
}

function coverOf({ report, words, format }: Page): Markup {
  const { classification, brand, title, subtitle, asOf } = report;
  return markup`<header>
<div class="sender">${logoOf(report)}<strong>${brand.organization}</strong>${
    classification ? markup`<span class="secret">${classification}</span>` : null
  }</div>
<h1>${title}</h1>
${subtitle ? markup`<p class="subtitle">${subtitle}</p>` : null}
<p class="as-of">${words.asOf(format.time(asOf))}</p>
</header>`;
}

/** A PNG, by its first bytes; another file is no logo. */
function logoOf({ brand: { logo } }: ReportDocument): Markup | null {
  if (!logo?.startsWith('iVBORw0KGgo') || !/^[A-Za-z0-9+/]+={0,2}$/.test(logo)) return null;
  return markup`<img src="data:image/png;base64,${logo}" alt="">`;
}

function contentsOf({ report, words }: Page): Markup {
  const entries = report.sections.map(({ title }, n) => markup`<li><a href="#part-${n + 1}">${title}</a></li>`);
  return markup`<nav aria-label="${words.contents}"><ol>${entries}</ol></nav>`;
}

function sectionHtml(page: Page, section: ReportSection): Markup {
  const number = page.report.sections.indexOf(section) + 1;
  return markup`<section id="part-${number}" class="${section.startsPage ? 'starts-page' : ''}">
${section.appendix ? markup`<p class="appendix">${page.words.appendix}</p>` : null}
<h2>${section.title}</h2>
${groupHtml(page, section)}
</section>`;
}

function provenanceOf({ report, words }: Page): Markup | null {
  const facts = report.provenance.map(({ label, text }) => markup`<dt>${label}</dt><dd>${text}</dd>`);
  if (facts.length === 0) return null;
  return markup`<section>
<p class="appendix">${words.appendix}</p>
<h2>${words.provenance}</h2>
<dl>${facts}</dl>
</section>`;
}
