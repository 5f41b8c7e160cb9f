import type { Argument, Command, Option } from 'commander';

/** Words that fit into the place of the cursor. `files`: the shell completes names of files. `nospace`: the word goes on. */
export type Candidates = { kind: 'words' | 'nospace' | 'files'; words: readonly Candidate[] };
type Candidate = { word: string; hint: string };

const none: Candidates = { kind: 'words', words: [] };
const files: Candidates = { kind: 'files', words: [] };

/** Completes the value of an option `--filter` of the command. */
type Filters = (command: Command, typed: string) => Promise<Candidates>;

/** The words that the program takes behind these, from its own commands, options and choices. */
export async function candidatesOf(
  program: Command,
  words: readonly string[],
  typed: string,
  filters: Filters,
): Promise<Candidates> {
  const { command, option, count } = placeOf(program, words);
  const [, name, value] = /^(--[\w-]+)=(.*)$/s.exec(typed) ?? [];
  if (name !== undefined && value !== undefined) {
    const found = await ofOption(
      command,
      optionsOf(command).find((one) => isFlag(one, name)),
      value,
      filters,
    );
    return { ...found, words: found.words.map(({ word, hint }) => ({ word: `${name}=${word}`, hint })) };
  }
  if (option) return ofOption(command, option, typed, filters);
  if (typed.startsWith('-')) return beginning(typed, optionsOf(command).map(flagOf));
  const subcommands = command.createHelp().visibleCommands(command);
  if (subcommands.length > 0)
    return beginning(
      typed,
      subcommands.map((one) => ({ word: one.name(), hint: one.description() })),
    );
  const { registeredArguments } = command;
  return ofArgument(registeredArguments[count] ?? registeredArguments.findLast(({ variadic }) => variadic), typed);
}

const beginning = (typed: string, words: readonly Candidate[]): Candidates => ({
  kind: 'words',
  words: words.filter(({ word }) => word.startsWith(typed)),
});

const choices = (typed: string, words: readonly string[]): Candidates =>
  beginning(
    typed,
    words.map((word) => ({ word, hint: '' })),
  );

/** The command that the words name, the option whose value comes next, and the number of arguments before. */
function placeOf(
  program: Command,
  words: readonly string[],
): { command: Command; option: Option | undefined; count: number } {
  let command = program;
  let option: Option | undefined;
  let count = 0;
  for (const word of words) {
    const isValue = option !== undefined && !word.startsWith('-');
    if (isValue) {
      if (!option?.variadic) option = undefined;
      continue;
    }
    option = undefined;
    if (word.startsWith('-'))
      option = optionsOf(command).find((one) => isFlag(one, word) && (one.required || one.optional));
    else {
      const next = command.commands.find((one) => one.name() === word);
      command = next ?? command;
      count = next ? 0 : count + 1;
    }
  }
  return { command, option, count };
}

function optionsOf(command: Command): Option[] {
  const help = command.createHelp();
  help.showGlobalOptions = true;
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

const isFlag = ({ long, short }: Option, word: string): boolean => word === long || word === short;

const flagOf = ({ long, short, description }: Option): Candidate => ({ word: long ?? short ?? '', hint: description });

async function ofOption(
  command: Command,
  option: Option | undefined,
  typed: string,
  filters: Filters,
): Promise<Candidates> {
  if (option?.long === '--filter') return filters(command, typed);
  if (option?.argChoices) return choices(typed, option.argChoices);
  return /file|folder/i.test(option?.flags ?? '') ? files : none;
}

function ofArgument(argument: Argument | undefined, typed: string): Candidates {
  if (argument?.argChoices) return choices(typed, argument.argChoices);
  return argument && /file|path|folder/i.test(argument.name()) ? files : none;
}
