import { inflateSync } from 'node:zlib';

type PdfText = { page: number; text: string; x: number; right: number; y: number };
type Pdf = { source: string; pages: number; texts: PdfText[] };

type Font = { letters: string[]; widths: number[] };

/** The texts of a PDF that pdfkit wrote, each with its page and the place where it begins and ends. */
export function readPdf(bytes: Uint8Array): Pdf {
  const source = Buffer.from(bytes).toString('latin1');
  const objects = new Map([...source.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj$/gm)].map((m) => [m[1], m[2] ?? '']));
  const at = (reference: string | undefined): string => objects.get(reference ?? '') ?? '';
  const streamOf = (object: string): string => {
    const [, data = ''] = /stream\n([\s\S]*)\nendstream/.exec(object) ?? [];
    return (object.includes('FlateDecode') ? inflateSync(Buffer.from(data, 'latin1')) : Buffer.from(data)).toString(
      'latin1',
    );
  };
  const fontOf = (object: string): Font => {
    const cmap = streamOf(at(/\/ToUnicode (\d+)/.exec(object)?.[1]));
    const [, lists = ''] = /beginbfrange\n([\s\S]*?)endbfrange/.exec(cmap) ?? [];
    const letters = [...lists.replace(/<\w+> <\w+> \[/g, '').matchAll(/<([^>]*)>/g)].map(([, hex = '']) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
    );
    const [, widths = ''] = /\/W \[0 \[([^\]]*)\]/.exec(at(/\/DescendantFonts \[(\d+)/.exec(object)?.[1])) ?? [];
    return { letters, widths: widths.split(' ').map(Number) };
  };
  const [, kids = ''] = /\/Kids \[([^\]]*)\]/.exec(source) ?? [];
  const pages = [...kids.matchAll(/(\d+) 0 R/g)].map(([, id]) => at(id));
  const texts = pages.flatMap((object, n) => {
    const resources = at(/\/Resources (\d+)/.exec(object)?.[1]);
    const fonts = new Map([...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [name, fontOf(at(id))]));
    return textsOf(streamOf(at(/\/Contents (\d+)/.exec(object)?.[1])), fonts).map((text) => ({ page: n + 1, ...text }));
  });
  return { source, pages: pages.length, texts };
}

function textsOf(content: string, fonts: Map<string | undefined, Font>): Omit<PdfText, 'page'>[] {
  return [...content.matchAll(/BT\n([\s\S]*?)\nET/g)].map(([, block = '']) => {
    const [, x, y] = (/1 0 0 1 ([-\d.]+) ([-\d.]+)/.exec(block) ?? []).map(Number);
    const [, name, size] = /\/(F\d+) ([\d.]+) Tf/.exec(block) ?? [];
    const { letters = [], widths = [] } = fonts.get(name) ?? {};
    const glyphs = [...block.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
    const ids = glyphs.map((glyph) => Number.parseInt(glyph, 16));
    const width = ids.reduce((sum, id) => sum + (widths[id] ?? 0), 0);
    const text = ids.map((id) => letters[id] ?? '').join('');
    return { text, x: x ?? 0, right: (x ?? 0) + (width * Number(size)) / 1000, y: y ?? 0 };
  });
}
