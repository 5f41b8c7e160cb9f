import { escaped } from '#shared/platform/runtime/markup.ts';
import type { ReportDocument } from '../document.ts';
import { mix } from './palette.ts';
import {
  BOTTOM,
  colourOf,
  decorate,
  drawLines,
  heightOf,
  LEADING,
  LEFT,
  leaf,
  need,
  PAGE,
  paintLines,
  paragraph,
  type Sheet,
  shorten,
  WIDTH,
  within,
} from './pdf-sheet.ts';
import type { Style } from './pdf-type.ts';

/** The metadata of the file. */
export function infoOf({ title, subtitle, brand, kind, language, classification, asOf }: ReportDocument) {
  const time = new Date(asOf);
  const keywords = [kind, language, classification].filter((word) => word !== null).join(', ');
  return {
    Title: title.toWellFormed(),
    Author: brand.organization.toWellFormed(),
    Subject: subtitle.toWellFormed(),
    Keywords: keywords.toWellFormed(),
    Creator: 'Security Exposure Management',
    CreationDate: time,
    ModDate: time,
  };
}

/** pdfkit writes the texts of the metadata into XML as they are: while it does, they are escaped. */
export function escapeMetadata(pdf: PDFKit.PDFDocument): void {
  const inner = pdf as unknown as { info: Record<string, unknown>; _addInfo: () => void };
  const write = inner._addInfo.bind(pdf);
  inner._addInfo = () => {
    const { info } = inner;
    const texts = Object.entries(info).map(([name, value]) => [
      name,
      typeof value === 'string' ? escaped(value) : value,
    ]);
    inner.info = Object.fromEntries(texts);
    write();
    inner.info = info;
  };
}

const LOGO = { width: 150, height: 40 } as const;

/** The head of the first page: whose report, how secret, about what and of when. */
export function drawCover(sheet: Sheet): void {
  const { pdf, report, words, format } = sheet;
  const [ink, soft] = [colourOf(sheet, 'ink'), colourOf(sheet, 'soft')];
  decorate(sheet, () => pdf.rect(0, 0, PAGE.width, 9).fill(sheet.accent));
  sheet.y = 30;
  const left = drawSender(sheet);
  const right = drawClassification(sheet);
  sheet.y = Math.max(left, right) + 16;
  const fits = (text: string, style: Omit<Style, 'colour'>) => sheet.type.lines(text, WIDTH, style).length === 1;
  const large = { size: 26, weight: 'bold' } as const;
  const title = fits(report.title, large) ? large : { ...large, size: 18 };
  paragraph(sheet, report.title, { ...title, colour: ink }, { tag: 'H1' });
  sheet.y += 2;
  const size = fits(report.subtitle, { size: 12 }) ? 12 : 9.5;
  if (report.subtitle) paragraph(sheet, report.subtitle, { size, colour: soft });
  paragraph(sheet, words.asOf(format.time(report.asOf)), { size: 8.5, colour: soft });
  sheet.y += 6;
  decorate(sheet, () =>
    pdf
      .moveTo(LEFT, sheet.y)
      .lineTo(LEFT + WIDTH, sheet.y)
      .lineWidth(0.7)
      .stroke(colourOf(sheet, 'line')),
  );
  sheet.y += 14;
}

/** The logo, or the name of the organization in one line: the subtitle has all of it. Returns where it ends. */
function drawSender(sheet: Sheet): number {
  const { organization, logo } = sheet.report.brand;
  const style = { size: 11, weight: 'semibold', colour: sheet.brand } as const;
  if (logo && drawLogo(sheet, logo, organization)) return sheet.y + LOGO.height;
  const lines = [shorten(sheet, organization, WIDTH * 0.6, style)];
  within(sheet, 'P', () => drawLines(sheet, lines, { x: LEFT, width: WIDTH * 0.6, y: sheet.y }, style));
  return sheet.y + heightOf(lines, style);
}

/** A file that is no picture leaves the name in its place. */
function drawLogo(sheet: Sheet, logo: string, alt: string): boolean {
  try {
    const image = Buffer.from(logo, 'base64');
    leaf(sheet, 'Figure', () => sheet.pdf.image(image, LEFT, sheet.y, { fit: [LOGO.width, LOGO.height] }), { alt });
    return true;
  } catch {
    return false;
  }
}

function drawClassification(sheet: Sheet): number {
  const { classification } = sheet.report;
  if (!classification) return sheet.y;
  const style = { size: 8.5, weight: 'bold', colour: sheet.brand } as const;
  const lines = sheet.type.lines(classification, WIDTH * 0.32, style);
  const width = Math.max(...lines.map((line) => sheet.type.measure(line, style)));
  const place = { x: LEFT + WIDTH - width - 9, y: sheet.y, width };
  const height = heightOf(lines, style) + 8;
  decorate(sheet, () =>
    sheet.pdf.roundedRect(place.x - 9, place.y - 4, width + 18, height, 3).fill(mix('#ffffff', sheet.brand, 0.1)),
  );
  within(sheet, 'P', () => drawLines(sheet, lines, place, style));
  return sheet.y + height;
}

const LABEL = 130;

/** How the report was made, each fact with its name. */
export function drawProvenance(sheet: Sheet): void {
  const { provenance } = sheet.report;
  const label = { size: 8.5, weight: 'semibold', colour: colourOf(sheet, 'soft') } as const;
  const text = { size: 8.5, colour: colourOf(sheet, 'ink') } as const;
  for (const fact of provenance) {
    const names = sheet.type.lines(fact.label, LABEL - 12, label);
    const lines = sheet.type.lines(fact.text, WIDTH - LABEL, text);
    need(sheet, heightOf(names, label));
    within(sheet, 'P', () => {
      drawLines(sheet, names, { x: LEFT, width: LABEL, y: sheet.y }, label);
      for (const line of lines) {
        need(sheet, text.size * LEADING);
        drawLines(sheet, [line], { x: LEFT + LABEL, width: WIDTH - LABEL, y: sheet.y }, text);
        sheet.y += text.size * LEADING;
      }
    });
    sheet.y += Math.max(0, heightOf(names, label) - heightOf(lines, text)) + 4;
  }
}

/** Heads and feet of all pages, when their number is known. */
export function drawHeads(sheet: Sheet): void {
  const { pdf } = sheet;
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    pdf.markContent('Artifact', { type: 'Pagination' });
    if (page > 0) drawHead(sheet);
    drawFoot(sheet, sheet.words.page(page + 1, count));
    pdf.endMarkedContent();
  }
}

const SMALL = { size: 7.5 } as const;

function drawHead(sheet: Sheet): void {
  const { title, subtitle, classification } = sheet.report;
  const style = { ...SMALL, colour: colourOf(sheet, 'soft') };
  const secret = { ...SMALL, weight: 'bold', colour: sheet.brand } as const;
  sheet.pdf.rect(0, 0, PAGE.width, 3).fill(sheet.accent);
  const right = shorten(sheet, classification ?? '', WIDTH * 0.3, secret);
  const room = WIDTH - sheet.type.measure(right, secret) - 12;
  const text = shorten(sheet, [title, subtitle].filter(Boolean).join('  ·  '), room, style);
  paintLines(sheet, [text], { x: LEFT, width: WIDTH, y: 26 }, style);
  paintLines(sheet, [right], { x: LEFT, width: WIDTH, y: 26, align: 'right' }, secret);
}

function drawFoot(sheet: Sheet, page: string): void {
  const { footer, organization } = sheet.report.brand;
  const style = { ...SMALL, colour: colourOf(sheet, 'soft') };
  const y = BOTTOM + 16;
  sheet.pdf
    .moveTo(LEFT, y)
    .lineTo(LEFT + WIDTH, y)
    .lineWidth(0.5)
    .stroke(colourOf(sheet, 'line'));
  const text = shorten(sheet, footer ?? organization, WIDTH * 0.8, style);
  paintLines(sheet, [text], { x: LEFT, width: WIDTH, y: y + 7 }, style);
  paintLines(sheet, [page], { x: LEFT, width: WIDTH, y: y + 7, align: 'right' }, style);
}
