import { type Markup, markup } from '#shared/platform/runtime/markup.ts';
import { drawChart } from '../charts/chart.ts';
import { roughWidth } from '../charts/rough-width.ts';
import { drawSpark } from '../charts/spark.ts';
import type { Block, Chart, Decision, ReportDocument, ReportSection, TableBlock, Tile, Tone } from '../document.ts';
import { type Format, safeLink } from './format.ts';
import { type ChartBlock, groupsOf } from './groups.ts';
import { type CellOnPage, onPages } from './on-pages.ts';
import { TONES } from './palette.ts';
import { svgOf } from './svg.ts';
import type { WORDS } from './words.ts';

export type Page = { report: ReportDocument; words: (typeof WORDS)[keyof typeof WORDS]; format: Format };

/** The blocks of a section. A table with the title of the section needs none of its own. */
export const groupHtml = (page: Page, { title, blocks }: Pick<ReportSection, 'title' | 'blocks'>): Markup[] =>
  groupsOf(blocks).map((group) => {
    if (group.length === 2)
      return markup`<div class="pair">${group.map((block) => chartHtml(page, block, { isHalf: true, isTitled: block.title !== title }))}</div>`;
    return blockHtml(page, group[0], title);
  });

function blockHtml(page: Page, block: Block, section: string): Markup {
  switch (block.block) {
    case 'verdict':
      return verdictHtml(block);
    case 'text':
      return markup`${block.text.split('\n').map((line) => markup`<p>${line}</p>`)}`;
    case 'heading':
      return markup`<h3 class="entry">${block.text}</h3><p class="soft">${block.note}</p>`;
    case 'tiles':
      return markup`<ul class="tiles">${block.tiles.map(tileHtml)}</ul>`;
    case 'decisions':
      return markup`<ol class="decisions">${block.decisions.map((decision) => decisionHtml(page, decision))}</ol>`;
    case 'chart':
      return chartHtml(page, block, { isHalf: false, isTitled: block.title !== section });
    case 'table':
      return tableHtml(page, block, block.title !== section);
  }
}

function linked(text: string, link: string | null): Markup {
  const target = safeLink(link);
  return target ? markup`<a href="${target}" rel="noopener noreferrer">${text}</a>` : markup`${text}`;
}

function signOf(tone: Tone): Markup | null {
  const { sign } = TONES[tone];
  return (
    sign && markup`<svg class="sign" viewBox="-6 -6 12 12" aria-hidden="true"><circle r="6"/><path d="${sign}"/></svg>`
  );
}

function verdictHtml({ tone, label, text }: Extract<Block, { block: 'verdict' }>): Markup {
  const word = label && markup`<strong>${label}</strong> `;
  return markup`<div class="verdict ${tone}">${signOf(tone)}<p>${word}${text}</p></div>`;
}

function tileHtml({ label, value, change, tone, spark, link }: Tile): Markup {
  const drawn = spark.length > 1 ? svgOf(drawSpark(spark, { width: 200, height: 28, colour: 'brand' }), null) : null;
  const below = change === null ? null : markup`<span class="change ${tone}">${signOf(tone)}${change}</span>`;
  return markup`<li><span class="label">${label}</span><span class="value">${linked(value, link)}</span>${below}${drawn}</li>`;
}

function decisionHtml({ words, format }: Page, { text, owner, dueDate, link }: Decision): Markup {
  const facts = [words.owner(owner), words.due(dueDate && format.day(dueDate))].join(' · ');
  return markup`<li><strong>${linked(text, link)}</strong><span>${facts}</span></li>`;
}

function chartHtml(
  page: Page,
  { title, chart, text }: ChartBlock,
  { isHalf, isTitled }: { isHalf: boolean; isTitled: boolean },
): Markup {
  const drawing = drawChart(chart, {
    width: isHalf ? 400 : 840,
    height: isHalf ? 220 : 280,
    size: 13,
    measure: roughWidth,
    number: page.format.number,
    percent: page.format.percent,
    empty: page.words.empty,
  });
  return markup`<figure>${isTitled ? markup`<h3>${title}</h3>` : null}
<div class="scroll ${isHalf ? '' : 'wide'}" role="group" aria-label="${title}" tabindex="0">${svgOf(drawing, page.words.chartIn(title))}</div>
<figcaption>${text}</figcaption>${valuesHtml(page, chart)}</figure>`;
}

/** The values of a chart as a table, for all who cannot see it or want the figures. */
function valuesHtml({ words, format }: Page, chart: Chart): Markup | null {
  const { heads, rows } = valuesOf(chart);
  if (rows.length === 0) return null;
  const value = (one: string | number | null) => (typeof one === 'string' ? one : format.cell(one));
  return markup`<details><summary>${words.values}</summary><div class="scroll" role="group" aria-label="${words.values}" tabindex="0"><table class="columns-${heads.length + 1}">
<thead><tr><td></td>${heads.map((head) => markup`<th scope="col" class="right">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([label, ...values]) =>
      markup`<tr><th scope="row">${label ?? ''}</th>${values.map((one) => markup`<td class="right">${value(one)}</td>`)}</tr>`,
  )}</tbody></table></div></details>`;
}

type Values = { heads: string[]; rows: (string | number | null)[][] };

function valuesOf(chart: Chart): Values {
  if (chart.chart === 'share') return { heads: [''], rows: chart.parts.map(({ label, value }) => [label, value]) };
  if (chart.chart === 'bars')
    return { heads: [''], rows: chart.labels.map((label, n) => [label, chart.values[n] ?? null]) };
  const series = chart.chart === 'lines' ? chart.series : [...chart.series, ...chart.lines];
  const rows = chart.labels.map((label, n) => [label, ...series.map(({ values }) => values[n] ?? null)]);
  return { heads: series.map(({ label }) => label), rows };
}

function tableHtml({ words, format }: Page, table: TableBlock, isTitled: boolean): Markup {
  const { title, empty, total } = table;
  const { columns, rows } = onPages(table, format);
  const head = isTitled ? markup`<h3>${title}</h3>` : null;
  if (rows.length === 0) return markup`${head}<p class="soft">${empty}</p>`;
  const sum = columns.reduce((all, { share }) => all + share, 0) || 1;
  const heads = columns.map(({ label, align }) => markup`<th scope="col" class="${align}">${label}</th>`);
  const cell = (one: CellOnPage, n: number) => markup`<td class="${columns[n]?.align ?? 'left'}">${cellHtml(one)}</td>`;
  const rest = total > rows.length ? words.rows(format.number(rows.length), format.number(total)) : null;
  return markup`${head}<div class="scroll" role="group" aria-label="${title}" tabindex="0"><table class="columns-${columns.length}">
<colgroup>${columns.map(({ share }) => markup`<col width="${Math.round((100 * share) / sum)}%">`)}</colgroup>
<thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${row.map(cell)}</tr>\n`)}</tbody></table></div>${
    rest && markup`<p class="soft">${rest}</p>`
  }`;
}

const cellHtml = ({ text, more, link }: CellOnPage): Markup =>
  markup`${linked(text, link)}${more.map((one) => markup`<div class="soft">${one}</div>`)}`;
