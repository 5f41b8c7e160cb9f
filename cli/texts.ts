/** Control characters and changes of the direction of writing: a report could rewrite the screen of its reader with them. */
const UNSAFE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text of somebody else on one line, as it may be shown in a terminal. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(UNSAFE, '\ufffd');

/** The same for a text of several lines. */
export const shownText = (text: string): string => text.split(/\r?\n/).map(oneLineKept).join('\n');

const oneLineKept = (line: string): string => line.replaceAll('\t', '  ').replaceAll(UNSAFE, '\ufffd');

export const counted = (count: number, noun: string): string => {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
};
