// The help of a command is its row in docs/commands.md. Plain JavaScript, like run.mjs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the words of a command ask for help. Words after `--` belong to another program. */
export function asksForHelp(words) {
  const end = words.indexOf('--');
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === '--help' || word === '-h');
}

/** @returns undefined for a script that is no command of package.json */
export function helpOf(root, script) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [name] = Object.entries(scripts).find(([, line]) => line === `node local/run.mjs ${script}`) ?? [];
  if (name === undefined) return undefined;
  const command = ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`;
  const row = readFileSync(join(root, 'docs/commands.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| \`${command}\` |`));
  const text =
    (row ?? '')
      .split(' | ')[1]
      ?.replaceAll('(see below)', '(see docs/commands.md)')
      .replaceAll(/\[[^[\]]*\]\(([\w-]+\.md)\)/g, 'docs/$1') ?? '';
  const [purpose, options] = text.split(': `', 2);
  const lines =
    options === undefined ? [] : `\`${options}`.split(/, (?=`)/).map((option) => `  ${option.replaceAll('`', '')}`);
  return [
    `${command}${lines.length > 0 ? ' -- [arguments]' : ''}`,
    purpose?.replaceAll('`', ''),
    ...lines,
    'docs/commands.md has all commands.',
  ].join('\n');
}
