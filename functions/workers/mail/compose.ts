import type { Letter } from '#shared/people/letter.ts';
import { escaped } from '#shared/platform/runtime/markup.ts';

const FONT = 'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1b1f24';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none';

/** The two forms of a letter. Every text is escaped in the HTML, which loads nothing. */
export function compose({ paragraphs, link }: Letter, address: string | undefined): { text: string; html: string } {
  const action = link && address !== undefined ? { label: link.label, address } : undefined;
  const text = [...paragraphs, ...(action ? [`${action.label}: ${action.address}`] : [])].join('\n\n');
  const button = action && `<p><a href="${escaped(action.address)}" style="${BUTTON}">${escaped(action.label)}</a></p>`;
  const body = paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('') + (button ?? '');
  return { text: `${text}\n`, html: `<!doctype html><html lang="en"><body style="${FONT}">${body}</body></html>` };
}
