import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import PDFDocument from 'pdfkit';
import type { ReportDocument, ReportSection } from '../document.ts';
import { formatOf } from './format.ts';
import { legible } from './palette.ts';
import { drawBlocks, firstHeight } from './pdf-blocks.ts';
import { drawCover, drawHeads, drawProvenance, escapeMetadata, infoOf } from './pdf-frame.ts';
import {
  colourOf,
  decorate,
  drawLines,
  heightOf,
  LEFT,
  need,
  newPage,
  PAGE,
  type Sheet,
  WIDTH,
  within,
} from './pdf-sheet.ts';
import { typeOf } from './pdf-type.ts';
import { WORDS } from './words.ts';

/** Writes a report as PDF: A4, tagged for readers that speak, with bookmarks. The same document gives the same bytes. */
export async function writePdf(report: ReportDocument, out: Writable): Promise<void> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: report.language,
    info: infoOf(report),
  });
  escapeMetadata(pdf);
  const written = pipeline(pdf, out);
  try {
    drawReport(pdf, report);
    pdf.end();
  } catch (error) {
    pdf.destroy(error instanceof Error ? error : new Error(String(error)));
  }
  await written;
}

function drawReport(pdf: PDFKit.PDFDocument, report: ReportDocument): void {
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const [words, format] = [WORDS[report.language], formatOf(report.language)];
  const brand = legible(report.brand.colour, '#ffffff');
  const accent = legible(report.brand.accent, '#ffffff', 3);
  const sheet: Sheet = { pdf, type: typeOf(pdf), report, words, format, brand, accent, parent: root, y: 0 };
  newPage(sheet);
  drawCover(sheet);
  for (const section of report.sections)
    drawSection(sheet, section, { first: firstHeight(sheet, section), draw: () => drawBlocks(sheet, section) });
  if (report.provenance.length > 0)
    drawSection(sheet, provenance(sheet), { first: 90, draw: () => drawProvenance(sheet) });
  root.end();
  drawHeads(sheet);
}

const provenance = ({ words }: Sheet) => ({ title: words.provenance, appendix: true, startsPage: false });

const HEADING = { size: 14, weight: 'bold' } as const;

type Content = { first: number; draw: () => void };

/** A title does not stand alone at the end of a page: what the section begins with follows it. */
function drawSection(sheet: Sheet, section: Omit<ReportSection, 'id' | 'blocks'>, { first, draw }: Content): void {
  const { title, appendix, startsPage } = section;
  const lines = sheet.type.lines(title, WIDTH, HEADING);
  const height = heightOf(lines, HEADING) + (appendix ? 12 : 0) + 14;
  if (startsPage) newPage(sheet);
  else need(sheet, height + first);
  sheet.pdf.outline.addItem(title, bookmarkAt(sheet));
  decorate(sheet, () => sheet.pdf.rect(LEFT, sheet.y, 24, 3).fill(sheet.accent));
  sheet.y += 8;
  within(sheet, 'Sect', () => {
    if (appendix) {
      const small = { size: 8, weight: 'semibold', colour: colourOf(sheet, 'soft') } as const;
      within(sheet, 'P', () => drawLines(sheet, [sheet.words.appendix], { x: LEFT, width: WIDTH, y: sheet.y }, small));
      sheet.y += 12;
    }
    within(sheet, 'H2', () =>
      drawLines(sheet, lines, { x: LEFT, width: WIDTH, y: sheet.y }, { ...HEADING, colour: colourOf(sheet, 'ink') }),
    );
    sheet.y += heightOf(lines, HEADING) + 6;
    draw();
  });
  sheet.y += 6;
}

/** A bookmark opens the page at the title. pdfkit counts `left` from the right side. */
const bookmarkAt = (sheet: Sheet): object => ({ fit: false, left: PAGE.width, top: Math.max(0, sheet.y - 12) });
