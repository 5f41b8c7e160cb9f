import { drawChart } from '../charts/chart.ts';
import type { Drawing } from '../charts/drawing.ts';
import { drawSpark } from '../charts/spark.ts';
import type { Block, Decision, ReportSection, Tile, Tone } from '../document.ts';
import { safeLink } from './format.ts';
import { type ChartBlock, groupsOf } from './groups.ts';
import { legible, mix, SUNK, TONES } from './palette.ts';
import { paintDrawing } from './pdf-drawing.ts';
import {
  BOTTOM,
  colourOf,
  decorate,
  drawLines,
  heightOf,
  LEFT,
  leaf,
  MAX_HEIGHT,
  need,
  paragraph,
  type Sheet,
  WIDTH,
  within,
} from './pdf-sheet.ts';
import { beginningOf, drawTable } from './pdf-table.ts';

type Blocks = Pick<ReportSection, 'title' | 'blocks'>;

/** The height that a title needs below it: what its section begins with. A text of many lines continues on the next page. */
export function firstHeight(sheet: Sheet, { title, blocks }: Blocks): number {
  const [first = [], [second] = []] = groupsOf(blocks);
  const [block] = first;
  if (!block) return 0;
  if (block.block === 'table') return beginningOf(sheet, block, block.title !== title);
  if (block.block === 'text' && second?.block === 'table') return 60 + beginningOf(sheet, second, true);
  if (block.block !== 'chart') return 60;
  const charts = first.flatMap((one) => (one.block === 'chart' ? [one] : []));
  return heightOfFigures(figuresOf(sheet, charts, { section: title, height: CHART.least }));
}

/** Draws the blocks of a section. A table with the title of the section needs none of its own. */
export function drawBlocks(sheet: Sheet, { title, blocks }: Blocks): void {
  for (const group of groupsOf(blocks)) {
    if (group.length === 2) drawCharts(sheet, group, title);
    else drawBlock(sheet, group[0], title);
  }
}

function drawBlock(sheet: Sheet, block: Block, section: string): void {
  if (block.block === 'verdict') drawVerdict(sheet, block);
  else if (block.block === 'text') drawText(sheet, block.text);
  else if (block.block === 'heading') drawHeading(sheet, block);
  else if (block.block === 'tiles') drawTiles(sheet, block.tiles);
  else if (block.block === 'decisions') drawDecisions(sheet, block.decisions);
  else if (block.block === 'chart') drawCharts(sheet, [block], section);
  else drawTable(sheet, block, block.title !== section);
}

const ENTRY = { size: 11, weight: 'semibold' } as const;

function drawHeading(sheet: Sheet, { text, note }: Extract<Block, { block: 'heading' }>): void {
  need(sheet, heightOf(sheet.type.lines(text, WIDTH, ENTRY), ENTRY) + 60);
  sheet.y += 8;
  paragraph(sheet, text, { ...ENTRY, colour: colourOf(sheet, 'ink') }, { tag: 'H3' });
  paragraph(sheet, note, { size: 8.5, colour: colourOf(sheet, 'soft') });
  sheet.y += 5;
}

function drawText(sheet: Sheet, text: string): void {
  paragraph(sheet, text, { size: 9.5, colour: colourOf(sheet, 'ink') });
  sheet.y += 8;
}

/** The sign of a tone in a disc. */
function paintTone(sheet: Sheet, tone: Tone, { x, y, radius }: { x: number; y: number; radius: number }): void {
  const { ink, sign } = TONES[tone];
  if (!sign) return;
  const { pdf } = sheet;
  pdf.circle(x, y, radius).fill(colourOf(sheet, ink));
  pdf
    .save()
    .translate(x, y)
    .scale(radius / 6);
  pdf.path(sign).lineWidth(1.5).lineCap('round').lineJoin('round').stroke('#ffffff');
  pdf.restore();
}

function drawVerdict(sheet: Sheet, { tone, label, text }: Extract<Block, { block: 'verdict' }>): void {
  const colour = colourOf(sheet, TONES[tone].ink);
  const ground = mix('#ffffff', colour, 0.08);
  const style = { size: 12.5, weight: 'semibold', colour: colourOf(sheet, 'ink') } as const;
  const word = { size: 8.5, weight: 'bold', colour: legible(colour, ground) } as const;
  const left = tone === 'none' ? 20 : 52;
  const lines = sheet.type.lines(text, WIDTH - left - 16, style);
  const words = label ? sheet.type.lines(label, WIDTH - left - 16, word) : [];
  const above = label ? heightOf(words, word) + 3 : 0;
  const height = heightOf(lines, style) + above + 24;
  need(sheet, height);
  const top = sheet.y;
  decorate(sheet, () => {
    sheet.pdf.rect(LEFT, top, WIDTH, height).fill(ground);
    sheet.pdf.rect(LEFT, top, 4, height).fill(colour);
    paintTone(sheet, tone, { x: LEFT + 28, y: top + height / 2, radius: 11 });
  });
  const place = { x: LEFT + left, width: WIDTH - left - 16 };
  within(sheet, 'P', () => {
    if (label) drawLines(sheet, words, { ...place, y: top + 11 }, word);
    drawLines(sheet, lines, { ...place, y: top + 12 + above }, style);
  });
  sheet.y = top + height + 14;
}

const GAP = 8;
const TILE = { padding: 9, spark: 17, label: { size: 8 }, change: { size: 7.8 } } as const;

function drawTiles(sheet: Sheet, tiles: readonly Tile[]): void {
  const across =
    tiles.length <= 4 ? Math.max(1, tiles.length) : tiles.length % 3 === 0 ? 3 : tiles.length === 5 ? 3 : 4;
  const width = (WIDTH - GAP * (across - 1)) / across;
  within(sheet, 'L', () => {
    for (let n = 0; n < tiles.length; n += across) drawRow(sheet, tiles.slice(n, n + across), width);
  });
  sheet.y += 6;
}

/** The lines of a tile. Its figure gets smaller before it takes a second line. */
function partsOf(sheet: Sheet, tile: Tile, width: number) {
  const room = width - 2 * TILE.padding;
  const fits = (size: number) => sheet.type.measure(tile.value, { size, weight: 'bold' }) <= room;
  const value = { size: [20, 18, 16, 14].find(fits) ?? 12, weight: 'bold' } as const;
  return {
    tile,
    value: { style: value, lines: sheet.type.lines(tile.value, room, value) },
    label: sheet.type.lines(tile.label, room, TILE.label),
    change: tile.change === null ? [] : sheet.type.lines(tile.change, room - 13, TILE.change),
  };
}

function drawRow(sheet: Sheet, tiles: readonly Tile[], width: number): void {
  const parts = tiles.map((tile) => partsOf(sheet, tile, width));
  const most = (height: (part: (typeof parts)[number]) => number) => Math.max(0, ...parts.map(height));
  const label = most((part) => heightOf(part.label, TILE.label));
  const value = most((part) => heightOf(part.value.lines, part.value.style));
  const change = most((part) => heightOf(part.change, TILE.change));
  const spark = tiles.some((tile) => tile.spark.length > 1) ? TILE.spark : 0;
  const height = 2 * TILE.padding + label + value + change + spark - 4;
  need(sheet, height);
  for (const [n, part] of parts.entries()) {
    const x = LEFT + n * (width + GAP);
    decorate(sheet, () => sheet.pdf.roundedRect(x, sheet.y, width, height, 3).fill(SUNK[0]));
    within(sheet, 'LI', () => drawTile(sheet, part, { x, width, label, value, bottom: sheet.y + height }));
  }
  sheet.y += height + GAP;
}

type TilePlace = { x: number; width: number; label: number; value: number; bottom: number };

function drawTile(sheet: Sheet, { tile, label, value, change }: ReturnType<typeof partsOf>, place: TilePlace): void {
  const inside = { x: place.x + TILE.padding, width: place.width - 2 * TILE.padding };
  const y = sheet.y + TILE.padding - 2;
  const soft = colourOf(sheet, 'soft');
  drawLines(sheet, label, { ...inside, y }, { ...TILE.label, colour: soft });
  const colour = safeLink(tile.link) ? sheet.brand : colourOf(sheet, 'ink');
  drawLines(sheet, value.lines, { ...inside, y: y + place.label }, { ...value.style, colour }, tile.link);
  const below = y + place.label + place.value;
  if (change.length > 0) {
    const { ink, sign } = TONES[tile.tone];
    decorate(sheet, () => paintTone(sheet, tile.tone, { x: inside.x + 4, y: below + 5.6, radius: 4 }));
    const style = { ...TILE.change, colour: sign ? legible(colourOf(sheet, ink), SUNK[0]) : soft };
    drawLines(sheet, change, { ...inside, x: inside.x + (sign ? 12 : 0), y: below }, style);
  }
  const room = { width: inside.width, height: TILE.spark - 8, colour: 'brand' } as const;
  decorate(sheet, () =>
    paintDrawing(sheet, drawSpark(tile.spark, room), inside.x, place.bottom - TILE.padding - room.height + 2),
  );
}

function drawDecisions(sheet: Sheet, decisions: readonly Decision[]): void {
  within(sheet, 'L', () => {
    for (const [n, decision] of decisions.entries()) drawDecision(sheet, decision, n + 1);
  });
  sheet.y += 8;
}

function drawDecision(sheet: Sheet, { text, owner, dueDate, link }: Decision, number: number): void {
  const target = safeLink(link);
  const style = { size: 10, weight: 'semibold', colour: target ? sheet.brand : colourOf(sheet, 'ink') } as const;
  const small = { size: 8.5, colour: colourOf(sheet, 'soft') };
  const place = { x: LEFT + 28, width: WIDTH - 28 };
  const lines = sheet.type.lines(text, place.width, style);
  const meta = [sheet.words.owner(owner), sheet.words.due(dueDate && sheet.format.day(dueDate))].join('   ·   ');
  const below = sheet.type.lines(meta, place.width, small);
  const height = heightOf(lines, style) + heightOf(below, small) + 7;
  need(sheet, height);
  const top = sheet.y;
  within(sheet, 'LI', () => {
    const figure = { size: 9, weight: 'bold', colour: '#ffffff' } as const;
    const half = sheet.type.measure(String(number), figure) / 2;
    leaf(sheet, 'Lbl', () => {
      sheet.pdf.circle(LEFT + 9, top + 9, 9).fill(sheet.brand);
      sheet.type.draw(String(number), { x: LEFT + 9 - half, baseline: top + 12.2 }, figure);
    });
    within(sheet, 'LBody', () => {
      drawLines(sheet, lines, { ...place, y: top + 1 }, style, target);
      drawLines(sheet, below, { ...place, y: top + 1 + heightOf(lines, style) }, small);
    });
  });
  sheet.y = top + height;
}

const CHART_GAP = 24;
/** The height of a chart with axes, and what it takes at least where a page has no room for more. */
const CHART = { height: 104, least: 62 } as const;
const TITLE = { size: 10, weight: 'semibold' } as const;
const TEXT = { size: 8.5 } as const;

const figureWidth = (blocks: readonly ChartBlock[]) => (WIDTH - CHART_GAP * (blocks.length - 1)) / blocks.length;

type Frame = { section: string; height: number };

/** A chart with the title of its section needs none of its own. */
function figuresOf(sheet: Sheet, blocks: readonly ChartBlock[], { section, height }: Frame): Figure[] {
  const width = figureWidth(blocks);
  return blocks.map((block) => {
    const drawing = drawChart(block.chart, lookOf(sheet, width, height));
    const title = block.title === section ? [] : sheet.type.lines(block.title, width, TITLE);
    const text = sheet.type.lines(block.text, width, TEXT);
    const above = title.length === 0 ? 0 : heightOf(title, TITLE) + 6;
    return { block, drawing, title, text, above, height: above + drawing.height + 4 + heightOf(text, TEXT) };
  });
}

const heightOfFigures = (parts: readonly Figure[]): number => Math.max(...parts.map(({ height }) => height));

/** Draws charts beside each other, each with its title above and its words below; lower ones where the page has less room. */
function drawCharts(sheet: Sheet, blocks: readonly ChartBlock[], section: string): void {
  const width = figureWidth(blocks);
  const figures = (height: number) => figuresOf(sheet, blocks, { section, height });
  const missing = Math.max(0, Math.ceil(sheet.y + heightOfFigures(figures(CHART.height)) - BOTTOM));
  const isLower = missing <= CHART.height - CHART.least;
  const parts = figures(isLower ? CHART.height - missing : CHART.height);
  const height = heightOfFigures(parts);
  need(sheet, height);
  for (const [n, part] of parts.entries()) drawFigure(sheet, part, LEFT + n * (width + CHART_GAP), width);
  sheet.y += Math.min(height, MAX_HEIGHT) + 16;
}

type Figure = { block: ChartBlock; drawing: Drawing; title: string[]; text: string[]; above: number; height: number };

function drawFigure(
  sheet: Sheet,
  { block, drawing, title, text, above, height }: Figure,
  x: number,
  width: number,
): void {
  const [ink, soft] = [colourOf(sheet, 'ink'), colourOf(sheet, 'soft')];
  const scale = Math.min(1, (MAX_HEIGHT - height + drawing.height) / drawing.height);
  const top = sheet.y + above;
  if (title.length > 0)
    within(sheet, 'H3', () => drawLines(sheet, title, { x, width, y: sheet.y }, { ...TITLE, colour: ink }));
  const alt = [sheet.words.chartIn(block.title), block.text].join('. ');
  leaf(sheet, 'Figure', () => paintDrawing(sheet, drawing, x, top, scale), { alt });
  const below = top + drawing.height * scale + 4;
  within(sheet, 'Caption', () => drawLines(sheet, text, { x, width, y: below }, { ...TEXT, colour: soft }));
}

const lookOf = (sheet: Sheet, width: number, height: number) => ({
  width,
  height,
  size: 7.5,
  measure: (text: string, size: number) => sheet.type.measure(text, { size }),
  number: sheet.format.number,
  percent: sheet.format.percent,
  empty: sheet.words.empty,
});
