import { wrap } from '../charts/wrap.ts';
import { FONT_FILES, type FontName, fontFile } from './font-files.ts';

type Pdf = PDFKit.PDFDocument;
type Weight = 'regular' | 'semibold' | 'bold';
export type Style = { size: number; colour: string; weight?: Weight };
/** A part of a text in one font; null is a letter that no font has. */
type Run = { font: FontName | null; text: string };

const FALLBACKS = ['japanese', 'chinese', 'korean'] as const;
const IS_INVISIBLE = /^\p{Default_Ignorable_Code_Point}$/u;
/** The width of the box for a letter that no font has. */
const BOX = 0.62;

/** Measures and draws texts with a font for each letter. */
export type Type = {
  measure: (text: string, style: Omit<Style, 'colour'>) => number;
  lines: (text: string, width: number, style: Omit<Style, 'colour'>) => string[];
  /** `baseline` is the line on which the letters stand. */
  draw: (text: string, at: { x: number; baseline: number }, style: Style, link?: string | null) => void;
};

export function typeOf(pdf: Pdf): Type {
  const runs = runsOf(pdf);
  const widthOf = ({ font, text }: Run, size: number): number =>
    font === null ? size * BOX * [...text].length : pdf.font(font).fontSize(size).widthOfString(text);
  const measure: Type['measure'] = (text, { size, weight = 'regular' }) =>
    runs(text, weight).reduce((sum, run) => sum + widthOf(run, size), 0);
  return {
    measure,
    lines: (text, width, style) => wrap(plain(text), width, (part) => measure(part, style)),
    draw: (text, { x, baseline }, { size, colour, weight = 'regular' }, link = null) => {
      let left = x;
      for (const run of runs(plain(text), weight)) {
        const width = widthOf(run, size);
        if (run.font === null) drawBoxes(pdf, run.text, { left, baseline, size, colour });
        else pdf.fillColor(colour).text(run.text, left, baseline, { lineBreak: false, baseline: 'alphabetic' });
        if (link) pdf.link(left, baseline - size, width, size * 1.3, link, linkOptions(pdf));
        left += width;
      }
    },
  };
}

/** Texts in one form: letters with their accents, blanks for tabs, and no half of a letter. */
const plain = (text: string): string => text.toWellFormed().normalize('NFC').replaceAll('\t', ' ');

type Inner = {
  _font: { font: { hasGlyphForCodePoint: (point: number) => boolean } };
  _currentStructureElement?: object;
};
const inner = (pdf: Pdf): Inner => pdf as unknown as Inner;

/** A reader finds the link in the structure of the document. */
const linkOptions = (pdf: Pdf) => ({ structParent: inner(pdf)._currentStructureElement }) as object;

function runsOf(pdf: Pdf): (text: string, weight: Weight) => Run[] {
  for (const name of Object.keys(FONT_FILES) as FontName[]) pdf.registerFont(name, Buffer.from([]));
  const opened = new Map<FontName, Inner['_font']['font']>();
  const open = (name: FontName) => {
    const known = opened.get(name);
    if (known) return known;
    const font = inner(pdf.registerFont(name, Buffer.from(fontFile(name))).font(name))._font.font;
    opened.set(name, font);
    return font;
  };
  const known = new Map<string, boolean>();
  const has = (name: FontName, letter: string): boolean => {
    const found = known.get(name + letter) ?? open(name).hasGlyphForCodePoint(letter.codePointAt(0) ?? 0);
    known.set(name + letter, found);
    return found;
  };
  return (text, weight) => {
    open(weight);
    const others = [...text].filter((letter) => !has('regular', letter));
    // One font for all of a text looks better than one for each letter.
    const best = FALLBACKS.find((name) => others.every((letter) => has(name, letter)));
    const fontOf = (letter: string): FontName | null => {
      if (has('regular', letter)) return weight;
      return best ?? FALLBACKS.find((name) => has(name, letter)) ?? null;
    };
    const runs: Run[] = [];
    for (const letter of text) {
      const font = fontOf(letter);
      if (font === null && IS_INVISIBLE.test(letter)) continue;
      const last = runs.at(-1);
      if (last && last.font === font) last.text += letter;
      else runs.push({ font, text: letter });
    }
    return runs;
  };
}

type Place = { left: number; baseline: number; size: number; colour: string };

/** A box for each letter that no font has. A copy of the text has the letter. */
function drawBoxes(pdf: Pdf, text: string, { left, baseline, size, colour }: Place): void {
  pdf.markContent('Span', { actual: text });
  for (const n of [...text].keys())
    pdf
      .rect(left + size * BOX * (n + 0.12), baseline - size * 0.7, size * BOX * 0.76, size * 0.7)
      .lineWidth(size * 0.06)
      .stroke(colour);
  pdf.endMarkedContent();
}
