import { readFileSync } from 'node:fs';

/**
 * The events that the tables of a page name in their first column, each with the text of its effects. `.updated` stands for the name
 * before it with another end.
 */
export function documentedEvents(page: string, section?: string): Map<string, string> {
  const whole = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const [, part = ''] = section === undefined ? ['', whole] : whole.split(`## ${section}\n`);
  const [text = ''] = section === undefined ? [part] : part.split('\n## ');
  const rows = [...text.matchAll(/^\| (`[a-z_]+.*?) \| (.+) \|$/gm)];
  return new Map(
    rows.flatMap(([, events = '', effects = '']) => namesIn(events).map((name) => [name, effects] as const)),
  );
}

function namesIn(row: string): string[] {
  let family = '';
  return [...row.matchAll(/`([a-z_.*]+)`/g)].map(([, name = '']) => {
    if (!name.startsWith('.')) family = name.replace(/\.[^.]+$/, '');
    return name.startsWith('.') ? `${family}${name}` : name;
  });
}
