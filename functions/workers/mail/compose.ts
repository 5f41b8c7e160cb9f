import type { Letter } from '#shared/people/letter.ts';
import { escaped } from '#shared/platform/runtime/markup.ts';

const FONT = 'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1f24';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none';

/** The addresses in a letter: of its action, of the console, and the one that stops such letters; and its code. */
type Made = { action?: string | undefined; baseUrl: string; stop?: string | undefined; code?: string | undefined };

/** The two forms of a letter. Every text is escaped in the HTML, which loads nothing. */
export function compose(letter: Letter, made: Made): { text: string; html: string } {
  const parts = [
    ...letter.paragraphs.map(paragraph),
    ...(letter.sections ?? []).map((section) => listed(section, made.baseUrl)),
    ...(made.code === undefined ? [] : [toType(made.code)]),
    ...(letter.link && made.action !== undefined ? [action(letter.link.label, made.action)] : []),
    ...(letter.stop && made.stop !== undefined ? [stopping(letter.stop.reason, made.stop)] : []),
  ];
  const text = parts.map((part) => part.text).join('\n\n');
  const body = parts.map((part) => part.html).join('');
  return { text: `${text}\n`, html: `<!doctype html><html lang="en"><body style="${FONT}">${body}</body></html>` };
}

type Part = { text: string; html: string };

const paragraph = (text: string): Part => ({ text, html: `<p>${escaped(text)}</p>` });

const anchor = (address: string, text: string): string => `<a href="${escaped(address)}">${escaped(text)}</a>`;

function listed({ heading, lines, more }: NonNullable<Letter['sections']>[number], baseUrl: string): Part {
  const shown = lines.map(({ text, page }) => ({ text, address: page && `${baseUrl}${page}` }));
  const rest = more > 0 ? [{ text: `and ${more} more`, address: undefined }] : [];
  const items = [...shown, ...rest];
  return {
    text: [heading, ...items.map(({ text, address }) => `- ${text}${address ? `\n  ${address}` : ''}`)].join('\n'),
    html: `<h2 style="font-size:18px">${escaped(heading)}</h2><ul>${items
      .map(({ text, address }) => `<li>${address ? anchor(address, text) : escaped(text)}</li>`)
      .join('')}</ul>`,
  };
}

const action = (label: string, address: string): Part => ({
  text: `${label}: ${address}`,
  html: `<p><a href="${escaped(address)}" style="${BUTTON}">${escaped(label)}</a></p>`,
});

const toType = (code: string): Part => ({
  text: `Code: ${code}`,
  html: `<p>Code: <strong style="font-size:22px;letter-spacing:2px">${escaped(code)}</strong></p>`,
});

const stopping = (reason: string, address: string): Part => ({
  text: `${reason}\nStop these letters: ${address}`,
  html: `<p style="font-size:13px;color:#57606a">${escaped(reason)} ${anchor(address, 'Stop these letters')}</p>`,
});
