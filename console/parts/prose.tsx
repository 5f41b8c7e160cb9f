import type { ComponentChildren } from 'preact';

/**
 * A text with the Markdown that scanners write: headings, lists, code. Every part becomes an element with a text, and so no
 * HTML and no address of others has an effect.
 */
export const Prose = ({ text }: { text: string }) => <div class="prose">{blocksOf(text).map(drawBlock)}</div>;

type Block = { kind: 'text' | 'heading' | 'list' | 'code'; lines: string[] };

const FENCE = /^ {0,3}(```|~~~)/;
const HEADING = /^#{1,6} /;
const ITEM = /^ {0,3}[-*+] /;

/** Lines of one kind that follow each other; an empty line ends a block. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isCode = false;
  for (const line of text.split(/\r?\n/)) {
    const last = blocks.at(-1);
    if (FENCE.test(line)) {
      isCode = !isCode;
      blocks.push({ kind: isCode ? 'code' : 'text', lines: [] });
    } else if (isCode) last?.lines.push(line);
    else {
      const kind = HEADING.test(line) ? 'heading' : ITEM.test(line) ? 'list' : 'text';
      if (line.trim() === '') blocks.push({ kind: 'text', lines: [] });
      else if (last?.kind === kind && kind !== 'heading') last.lines.push(line);
      else blocks.push({ kind, lines: [line] });
    }
  }
  return blocks.filter(({ lines }) => lines.length > 0);
}

function drawBlock({ kind, lines }: Block, n: number): ComponentChildren {
  if (kind === 'code') return <pre key={n}>{lines.join('\n')}</pre>;
  if (kind === 'heading')
    return (
      <p key={n} class="strong">
        {inline(lines.join(' ').replace(HEADING, ''))}
      </p>
    );
  if (kind === 'list')
    return (
      <ul key={n} class="bullets">
        {lines.map((line) => (
          <li key={line}>{inline(line.replace(ITEM, ''))}</li>
        ))}
      </ul>
    );
  return <p key={n}>{inline(lines.join('\n'))}</p>;
}

/** Code between backticks and strong words between two stars. */
const inline = (text: string): ComponentChildren[] =>
  text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part, n) => {
    if (n % 2 === 0) return part;
    return part.startsWith('`') ? <code key={n}>{part.slice(1, -1)}</code> : <b key={n}>{part.slice(2, -2)}</b>;
  });
