import type { Command } from 'commander';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { readEvents } from '../detections/events.ts';
import { type RuleFile, readRules } from '../detections/files.ts';
import { assertIds, plannedOf, pushRules } from '../detections/push.ts';
import { isWaiting, mistakesOf, type Tried, tryRules } from '../detections/try.ts';
import { EXIT, type Exit, usage } from '../errors.ts';
import { minutes } from '../numbers.ts';
import { counted, oneLine } from '../texts.ts';

/** `exposure detections lint|test|push` */
export const define: Define = (command, act) => {
  const withPaths = (name: string, description: string): Command =>
    command
      .command(name)
      .description(description)
      .argument('<paths...>', 'rules: .yml and .yaml files, and folders and .zip archives of them');
  withPaths('lint', 'check the texts of Sigma rules').action(act(lint));
  withPaths('test', 'try rules on sample events')
    .requiredOption('--events <file>', 'a JSON list of events, or a JSON object a line; - is standard input')
    .option('--expect <count>', 'fail unless each rule matches so many events', Number)
    .action(act(test));
  withPaths('push', 'create and change the rules of the organization')
    .option('--dry-run', 'change nothing, and show what would change')
    .option('--disabled', 'turn new rules off')
    .option('--skip-refused', 'push the other rules where some texts have mistakes')
    .option('--timeout <minutes>', 'how long to wait for the service to work the pack', minutes, 15)
    .action(act(push));
};

async function lint(context: Context, paths: string[]): Promise<Exit> {
  const tried = await tryRules(context, paths);
  const mistakes = mistakesOf(tried);
  if (context.options.json)
    context.print(JSON.stringify(tried.map(({ file, rule, errors }) => ({ file, rule, errors }))));
  else for (const mistake of mistakes) context.print(oneLine(mistake));
  const summary = `${counted(tried.length, 'rule')}, ${counted(mistakes.length, 'mistake')}`;
  context.note(summary, mistakes.length > 0 ? 'failed' : 'done');
  return mistakes.length > 0 ? EXIT.gateFailed : EXIT.passed;
}

type TestOptions = { events: string; expect?: number };

async function test(context: Context, paths: string[], { events: file, expect }: TestOptions): Promise<Exit> {
  if (expect !== undefined && !Number.isInteger(expect)) throw usage('--expect must be a number of events.');
  const events = await readEvents(file);
  const tried = await tryRules(context, paths, events);
  const isUnexpected = (one: Tried) => expect !== undefined && matchesOf(one) !== expect;
  const failed = tried.filter((one) => one.errors.length > 0 || isUnexpected(one));
  if (context.options.json)
    context.print(JSON.stringify(tried.map(({ content: _, ...one }) => ({ ...one, matches: matchesOf(one) }))));
  else for (const one of tried) context.print(oneLine(outcomeOf(one)));
  for (const mistake of mistakesOf(tried)) context.note(mistake, 'failed');
  for (const one of tried.filter(isElsewhere)) context.note(oneLine(`${one.file}: ${wantedIn(one)}`), 'warning');
  const summary = `${counted(tried.length, 'rule')} on ${counted(events.length, 'event')}, ${failed.length} failed`;
  context.note(summary, failed.length > 0 ? 'failed' : 'done');
  return failed.length > 0 ? EXIT.gateFailed : EXIT.passed;
}

const matchesOf = ({ events }: Pick<Tried, 'events'>): number => events.filter(({ matches }) => matches).length;

/** Whether no event is of the log source of a rule. A sample that somebody wrote by hand easily lacks its fields. */
const isElsewhere = ({ rule, events }: Tried): boolean =>
  rule !== null && events.length > 0 && events.every(({ inLogSource }) => !inLogSource);

const wantedIn = ({ rule }: Tried): string => {
  const wanted = (rule?.logsources ?? []).map((source) =>
    Object.entries(source)
      .flatMap(([name, value]) => (value === null ? [] : `"${name}": "${value}"`))
      .join(', '),
  );
  return `no event is of the log source of the rule: send events with ${wanted.join(', or with ')}.`;
};

const outcomeOf = ({ file, events, alerts, rule }: Tried): string =>
  rule
    ? `${file}: matches ${matchesOf({ events })} of ${events.length}, ${counted(alerts.length, 'alert')}`
    : `${file}: cannot be evaluated`;

type PushOptions = { dryRun?: boolean; disabled?: boolean; skipRefused?: boolean; timeout: number };

/** Pushes all rules or, where a text has a mistake, none; `skipRefused` pushes the others. */
async function push(context: Context, paths: string[], options: PushOptions): Promise<Exit> {
  const { dryRun, disabled, skipRefused } = options;
  if (!dryRun && skipRefused) return pushed(context, await readRules(paths), options);
  const tried = await tryRules(context, paths);
  const wrong = mistakesOf(tried.filter((one) => !isWaiting(one)));
  for (const mistake of wrong) context.note(mistake, 'failed');
  if (wrong.length > 0 && !skipRefused) {
    context.note('Nothing was pushed: correct these texts first, or push the others with --skip-refused.');
    return EXIT.gateFailed;
  }
  const ready = tried.filter(({ errors }) => errors.length === 0);
  assertIds(ready);
  if (!dryRun) return pushed(context, tried, { disabled, timeout: options.timeout });
  const planned = await plannedOf(context, ready);
  if (context.options.json) context.print(JSON.stringify(planned));
  else for (const { done, title, file } of planned) context.print(oneLine(`${done.padEnd(9)}  ${title}  (${file})`));
  for (const mistake of mistakesOf(tried.filter(isWaiting))) context.note(mistake, 'aside');
  context.note('A dry run: nothing was changed, and rules that count others of these files wait.', 'aside');
  return wrong.length > 0 ? EXIT.gateFailed : EXIT.passed;
}

async function pushed(context: Context, rules: readonly RuleFile[], options: PushOptions): Promise<Exit> {
  const { disabled = false, timeout } = options;
  const outcome = await pushRules(context, rules, { enabled: !disabled, until: Date.now() + timeout * 60_000 });
  const { created, updated, unchanged, refused, refusedCount } = outcome;
  if (context.options.json) context.print(JSON.stringify(outcome));
  else context.print(`${created} created, ${updated} changed, ${unchanged} unchanged, ${refusedCount} refused`);
  for (const { file, message } of refused) context.note(`${file}: ${message}`, 'failed');
  const more = refusedCount - refused.length;
  if (more > 0) context.note(`${more} more are refused: correct the first ones, and push again.`, 'failed');
  return refusedCount > 0 ? EXIT.gateFailed : EXIT.passed;
}
