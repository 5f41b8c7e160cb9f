import type { Drawing, Mark, TextMark } from '../charts/drawing.ts';
import { safeLink } from './format.ts';
import { colourOf, type Sheet } from './pdf-sheet.ts';

/** Paints a drawing with its upper left corner at this place. */
export function paintDrawing(sheet: Sheet, { marks }: Drawing, x: number, y: number, scale = 1): void {
  const { pdf } = sheet;
  pdf.save().translate(x, y).scale(scale);
  for (const mark of marks) if (mark.mark !== 'text') paintShape(sheet, mark);
  pdf.restore();
  for (const mark of marks) if (mark.mark === 'text') paintText(sheet, mark, { x, y, scale });
}

function paintShape(sheet: Sheet, mark: Exclude<Mark, TextMark>): void {
  const { pdf } = sheet;
  if (mark.mark === 'rect') {
    pdf.rect(mark.x, mark.y, mark.width, mark.height).fillOpacity(1).fill(colourOf(sheet, mark.fill));
    return;
  }
  pdf.path(mark.d).lineWidth(mark.width);
  if (mark.dash) pdf.dash(mark.dash, {});
  if (mark.fill) pdf.fillOpacity(mark.opacity).fill(colourOf(sheet, mark.fill));
  if (mark.stroke) pdf.lineJoin('round').lineCap('round').stroke(colourOf(sheet, mark.stroke));
  pdf.undash().fillOpacity(1);
}

/** Texts are placed without a transformation, because links know none. */
function paintText(sheet: Sheet, mark: TextMark, { x, y, scale }: { x: number; y: number; scale: number }): void {
  const link = safeLink(mark.link);
  const style = {
    size: mark.size * scale,
    colour: link ? sheet.brand : colourOf(sheet, mark.ink),
    weight: mark.strong ? ('semibold' as const) : ('regular' as const),
  };
  const width = sheet.type.measure(mark.text, style);
  const left = x + mark.x * scale - { start: 0, middle: width / 2, end: width }[mark.anchor];
  sheet.type.draw(mark.text, { x: left, baseline: y + mark.y * scale }, style, link);
}
