import { Argument } from 'commander';
import type { Define } from '../command.ts';
import { type Candidates, candidatesOf } from '../completion/candidates.ts';
import { filterCandidates } from '../completion/filters.ts';
import { forBash, readLine } from '../completion/line.ts';
import { SHELLS, type Shell } from '../completion/scripts.ts';
import type { Context } from '../context.ts';
import { oneLine } from '../texts.ts';

/** `exposure complete SHELL LINE`, which the completion of a shell asks. */
export const define: Define = (command, act) => {
  command
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .argument('<line>', 'the line up to the cursor')
    .action(
      act(async (context, shell: Shell, line: string) => {
        const program = command.parent;
        if (program) await complete(context, { shell, line }, program);
        return undefined;
      }),
    );
};

type Program = NonNullable<Parameters<Define>[0]['parent']>;

/** The kind of the words, then a word a line: for bash as its line takes it, for the others with a hint behind a tab. */
async function complete(
  context: Context,
  { shell, line }: { shell: Shell; line: string },
  program: Program,
): Promise<void> {
  const { words, typed } = readLine(line);
  const filters = async (of: Program, text: string) => filterCandidates(await context.client(), topOf(of), text);
  const nothing = (): Candidates => ({ kind: 'words', words: [] });
  // no sign-in or no network: the words that need none are completed
  const { kind, words: found } = await candidatesOf(program, words.slice(1), typed.text, filters).catch(nothing);
  const lines = found
    .filter(({ word }) => oneLine(word) === word)
    .flatMap(({ word, hint }) =>
      shell === 'bash' ? (forBash(word, typed) ?? []) : hint ? `${word}\t${oneLine(hint)}` : word,
    );
  context.print([kind, ...lines].join('\n'));
}

/** The name of the command below the program. */
const topOf = (command: Program): string => (command.parent?.parent ? topOf(command.parent) : command.name());
