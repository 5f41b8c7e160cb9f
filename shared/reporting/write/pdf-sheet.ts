import type { Ink } from '../charts/drawing.ts';
import type { ReportDocument } from '../document.ts';
import type { Format } from './format.ts';
import { safeLink } from './format.ts';
import { COLOURS } from './palette.ts';
import type { Style, Type } from './pdf-type.ts';
import type { WORDS } from './words.ts';

export const PAGE = { width: 595.28, height: 841.89 } as const;
const MARGIN = { side: 48, top: 62, bottom: 60 } as const;
export const LEFT = MARGIN.side;
export const WIDTH = PAGE.width - 2 * MARGIN.side;
export const BOTTOM = PAGE.height - MARGIN.bottom;
/** The most that a page takes. */
export const MAX_HEIGHT = BOTTOM - MARGIN.top;
export const LEADING = 1.42;

type Structure = PDFKit.PDFStructureElement;

/** The page that is drawn, its next free line `y`, and the part of the structure to which a block belongs. */
export type Sheet = {
  pdf: PDFKit.PDFDocument;
  type: Type;
  report: ReportDocument;
  words: (typeof WORDS)[keyof typeof WORDS];
  format: Format;
  /** The colour of the organization, dark enough to be read. */
  brand: string;
  /** The colour of bands and bars, dark enough to be seen. */
  accent: string;
  parent: Structure;
  y: number;
};

export const colourOf = (sheet: Sheet, ink: Ink): string => (ink === 'brand' ? sheet.accent : COLOURS[ink][0]);

export function newPage(sheet: Sheet): void {
  sheet.pdf.addPage();
  sheet.y = MARGIN.top;
}

/** Goes to the next page if this one has not so much room left. */
export function need(sheet: Sheet, height: number): boolean {
  if (sheet.y + Math.min(height, MAX_HEIGHT) <= BOTTOM) return false;
  newPage(sheet);
  return true;
}

/** Draws blocks as a part of the structure: a section, a list, a table. */
export function within(
  sheet: Sheet,
  tag: string,
  draw: () => void,
  options: { alt?: string; title?: string } = {},
): void {
  const { parent } = sheet;
  sheet.parent = sheet.pdf.struct(tag, options);
  parent.add(sheet.parent);
  draw();
  sheet.parent.end();
  sheet.parent = parent;
}

/** Draws a piece of content as a leaf of the structure. */
export function leaf(
  sheet: Sheet,
  tag: string,
  draw: () => void,
  options: { alt?: string; actual?: string } = {},
): void {
  within(sheet, tag, () => sheet.parent.add(draw), options);
}

/** Draws what only decorates: readers that speak leave it out. */
export function decorate(sheet: Sheet, draw: () => void): void {
  sheet.pdf.markContent('Artifact', { type: 'Layout' });
  draw();
  sheet.pdf.endMarkedContent();
}

type Place = { x: number; width: number; y: number; align?: 'left' | 'right' };

/** Draws lines as a part of the structure, a link as one of its own. */
export function drawLines(
  sheet: Sheet,
  lines: readonly string[],
  place: Place,
  style: Style,
  link: string | null = null,
) {
  const target = safeLink(link);
  const draw = () => paintLines(sheet, lines, place, style, target);
  if (target) leaf(sheet, 'Link', draw, { alt: lines.join(' ') });
  else sheet.parent.add(draw);
}

export function paintLines(
  sheet: Sheet,
  lines: readonly string[],
  place: Place,
  style: Style,
  link: string | null = null,
): void {
  for (const [n, line] of lines.entries()) {
    const x = place.align === 'right' ? place.x + place.width - sheet.type.measure(line.trimEnd(), style) : place.x;
    sheet.type.draw(line, { x, baseline: place.y + style.size * (1.07 + LEADING * n) }, style, link);
  }
}

export const heightOf = (lines: readonly string[], { size }: Pick<Style, 'size'>): number =>
  lines.length * size * LEADING;

/** A paragraph that continues on the next page where it has to, with two lines at least on each. */
export function paragraph(
  sheet: Sheet,
  text: string,
  style: Style,
  options: Partial<Pick<Place, 'x' | 'width'>> & { tag?: string } = {},
): void {
  const { x = LEFT, width = WIDTH, tag = 'P' } = options;
  within(sheet, tag, () => {
    const lines = sheet.type.lines(text, width, style);
    for (const [n, line] of lines.entries()) {
      const together = n === 0 || n === lines.length - 2 ? Math.min(2, lines.length - n) : 1;
      need(sheet, together * style.size * LEADING);
      drawLines(sheet, [line], { x, width, y: sheet.y }, style);
      sheet.y += style.size * LEADING;
    }
  });
}

/** A text in one line, with its end left out where it does not fit: only for texts that the first page repeats. */
export function shorten(sheet: Sheet, text: string, width: number, style: Omit<Style, 'colour'>): string {
  const [first = '', ...more] = sheet.type.lines(text, width - style.size, style);
  return more.length === 0 ? first : `${first}…`;
}
