import { commands } from './commands.ts';
import { EXIT, type Exit, Failure, reasonOf } from './errors.ts';
import { shownText } from './texts.ts';
import { VERSION } from './version.ts';

void start(process.argv.slice(2));

async function start(args: readonly string[]): Promise<void> {
  // a program whose work stopped halfway has not passed
  process.exitCode = EXIT.incomplete;
  process.exitCode = await run(args);
}

/** Runs a command. @returns its exit code */
async function run(args: readonly string[]): Promise<Exit> {
  const stopped = new AbortController();
  process.once('SIGINT', () => stopped.abort());
  process.once('SIGTERM', () => stopped.abort());
  let exit: Exit = EXIT.incomplete;
  try {
    const program = await makeProgram(args, stopped.signal, (code) => {
      exit = code;
    });
    await program.parseAsync(args, { from: 'user' });
    return exit;
  } catch (error) {
    return stopped.signal.aborted ? EXIT.interrupted : exitAfter(error);
  }
}

/** The program with the commands that the arguments name; of the others it knows the names alone. */
async function makeProgram(args: readonly string[], signal: AbortSignal, end: (exit: Exit) => void) {
  const { Command } = await import('commander');
  const program = new Command('exposure')
    .description('Import reports, judge builds and triage findings of Security Exposure Management')
    .version(VERSION)
    .option('--profile <name>', 'the profile to use (see "exposure login")')
    .option('--url <address>', 'the address of the service')
    .option('--json', 'print JSON')
    .option('--quiet', 'print no progress and no messages')
    .option('--no-color', 'print no colours')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      '\nExit codes: 0 passed, 1 gate failed, 2 usage, 3 credentials, 4 unreachable, 5 incomplete, 6 limit.',
    );
  for (const { name, summary, hidden = false, load } of commands) {
    const command = program.command(name, { hidden }).description(summary).copyInheritedSettings(program);
    if (!args.includes(name) && args[0] !== 'complete') continue;
    const { define } = await load();
    define(
      command,
      (work) =>
        async function (...given) {
          const { makeContext } = await import('./context.ts');
          const context = makeContext(process.env, this.optsWithGlobals(), signal);
          end((await work(context, ...given)) ?? EXIT.passed);
        },
    );
  }
  return program;
}

/** Says on standard error what went wrong and what to do next. */
function exitAfter(error: unknown): Exit {
  if (isOfCommander(error)) return error.exitCode === 0 ? EXIT.passed : EXIT.usage;
  const failure =
    error instanceof Failure ? error : new Failure(EXIT.incomplete, `unexpected: ${reasonOf(error)}`, UNEXPECTED);
  const next = failure.next === undefined ? '' : `${failure.next}\n`;
  process.stderr.write(`exposure: ${shownText(failure.message)}\n${next}`);
  if (process.env.EXPOSURE_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return failure.exit;
}

const UNEXPECTED = 'This is a fault of the program. EXPOSURE_DEBUG=1 shows where; please report it.';

/** An error of the arguments, which commander has shown, or the end of its help. */
const isOfCommander = (error: unknown): error is { exitCode: number } =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
