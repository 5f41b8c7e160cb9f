import { setTimeout as sleep } from 'node:timers/promises';
import { Option } from 'commander';
import { type BuildOptions, buildOf, type NamedBuild, namedBuild } from '../build.ts';
import { withBuildOptions } from '../build-options.ts';
import { answerOf, type Client, Refused, type Schemas } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, type Exit } from '../errors.ts';
import { problemsOf } from '../gate/problems.ts';
import { minutes, numberFrom } from '../numbers.ts';
import { type OutputOptions, withOutputs, withoutCommands, writeOutputs } from '../output/write.ts';
import { tablePages } from '../table.ts';
import { MAX_WAIT_SECONDS } from '../tasks.ts';
import { counted } from '../texts.ts';

type BuildGate = Schemas['BuildGate'];
type Options = BuildOptions &
  OutputOptions & {
    failOn: BuildGate['findings'][number]['severity'];
    newOnly: boolean;
    kev?: boolean;
    filter?: string;
    maxAgeDays?: number;
    tools?: string;
    reports: number;
    timeout: number;
  };

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** `exposure gate` */
export const define: Define = (command, act) => {
  withOutputs(withBuildOptions(command))
    .addOption(
      new Option('--fail-on <severity>', 'findings of this severity or above fail the gate')
        .choices(SEVERITIES)
        .default('high'),
    )
    .option('--new-only', 'only findings that the base branch lacks fail the gate', true)
    .option('--no-new-only', 'findings that the base branch has fail the gate, too')
    .option('--kev', 'only findings that are known to be exploited fail the gate (CISA KEV)')
    .option('--filter <filter>', 'only findings that fit fail the gate, such as "asset.tag:prod -tag:accepted"')
    .option('--max-age-days <days>', 'older open findings fail the gate, new or not', numberFrom(0, 3650))
    .option(
      '--tools <names>',
      'the tools whose reports the build has, such as semgrep,trivy: without one it does not pass',
    )
    .option('--reports <number>', 'how many reports the build has, at least', numberFrom(1, 1000), 1)
    .option('--timeout <minutes>', 'how long to wait for the reports', minutes, 15)
    .addHelpText('after', EXAMPLES)
    .action(act(gate));
};

const EXAMPLES = `
Judges all reports of a build together. Exit code 0: passed. 1: findings fail it. 5: a report is missing, broken or incomplete.

Examples:
  exposure gate --fail-on high
  exposure gate --fail-on critical --kev --tools semgrep,trivy`;

async function gate(context: Context, options: Options): Promise<Exit> {
  const build = await buildOf(context.env, options);
  const { failOn, newOnly, kev, maxAgeDays, tools, reports } = options;
  const filters = [kev ? 'kev:true' : '', options.filter ? `(${options.filter})` : ''].filter((one) => one !== '');
  const filter = filters.length > 0 ? filters.join(' ') : undefined;
  const asked = { ...namedBuild(build), failOn, newOnly, maxAgeDays, tools, reports, filter };
  const until = Date.now() + options.timeout * 60_000;
  const judged = await judgedBuild(context, await context.client(), { asked, until });
  context.progress('');
  const problems = await problemsOf(context.env, { ...(await context.access()), ...asked });
  const verdict = withProblems(judged, problems);
  await withoutCommands(context, options, () =>
    context.options.json ? context.print(JSON.stringify(verdict)) : show(context, verdict),
  );
  const { findings, state, reasons, baseRef } = verdict;
  await writeOutputs(context, options, { findings, verdict: { passed: state === 'passed', reasons, baseRef } });
  notify(context, verdict, build.baseRef);
  if (problems.length > 0) context.note(UNREAD, 'aside');
  return EXITS[state];
}

const UNREAD =
  'A file that could not be imported counts until the import of a file of this name succeeds. Where the build has no such file, ' +
  'import its reports under another --build-id.';

const EXITS: Record<BuildGate['state'], Exit> = {
  passed: EXIT.passed,
  failed: EXIT.gateFailed,
  undecided: EXIT.incomplete,
  incomplete: EXIT.incomplete,
};

type Judging = { asked: NamedBuild & { failOn: Options['failOn'] }; until: number };

/** The verdict of the service once all reports have come and are read, or as it is by then. Findings that fail the gate end the wait. */
async function judgedBuild(context: Context, client: Client, { asked, until }: Judging): Promise<BuildGate> {
  const wait = waiting(context, { asked, until });
  // the first answer comes at once, so that people read what is waited for
  for (let most = 0; ; most = MAX_WAIT_SECONDS) {
    const waitSeconds = Math.max(0, Math.min(most, Math.ceil((until - Date.now()) / 1000)));
    const query = { ...asked, waitSeconds };
    try {
      const result = await answerOf(client.GET('/api/v1/scanned-branches/gate', { params: { query } }));
      if (result.state !== 'undecided' || Date.now() >= until) return result;
      wait(lackOf(result));
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'not_found') throw error;
      if (Date.now() >= until) return { ...NOTHING, reasons: [`No report of ${asked.ref} has come: ${error.message}`] };
      wait('No report of this build has come yet');
      await sleep(PAUSE_MS);
    }
  }
}

/** The reports for which an undecided gate waits. */
function lackOf({ reports, reasons }: BuildGate): string {
  const worked = reports.filter(({ status }) => status === 'queued' || status === 'running').length;
  if (worked > 0) return `${counted(worked, 'report')} still to read`;
  return reports.length === 0 ? 'No report of this build has come yet' : reasons.join(' ').replace(/\.$/, '');
}

/** Says once what is waited for and until when, also in the log of a job; a terminal shows the rest as it goes. */
function waiting(context: Context, { asked: { ref, buildId }, until }: Judging): (what: string) => void {
  let isSaid = false;
  return (what) => {
    if (!isSaid) {
      const minutesLeft = Math.max(1, Math.ceil((until - Date.now()) / 60_000));
      context.note(
        `${what} (${ref}, ${buildId}); waiting up to ${counted(minutesLeft, 'minute')} (--timeout). "exposure import" sends reports.`,
        'aside',
      );
    }
    isSaid = true;
    context.progress(what);
  };
}

const PAUSE_MS = 2_000;
const NONE = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
/** Of a branch that the service does not know. */
const NOTHING: Omit<BuildGate, 'reasons'> = {
  passed: false,
  state: 'undecided',
  baseRef: null,
  new: NONE,
  findings: [],
  reports: [],
};

/** Reports that never reached the service keep a build from passing, and hide no finding that fails it. */
function withProblems(verdict: BuildGate, problems: readonly string[]): BuildGate {
  if (problems.length === 0) return verdict;
  const state = verdict.state === 'failed' ? 'failed' : 'incomplete';
  return { ...verdict, state, passed: false, reasons: [...verdict.reasons, ...problems] };
}

/** The findings that fail the gate, for people. */
function show(context: Context, { findings }: BuildGate): void {
  if (findings.length === 0) return;
  const rows = findings.map(({ isNew, ...finding }) => ({ ...finding, new: isNew ? 'new' : '' }));
  const columns = ['severity', 'new', 'title', 'location', 'ruleId', 'id'];
  context.print(tablePages(context, { columns, wide: ['title', 'location', 'ruleId'] })(rows).trimEnd());
}

const WORDS: Record<BuildGate['state'], string> = {
  passed: 'The gate passed',
  failed: 'The gate failed',
  undecided: 'The gate is undecided, which is no pass: reports are missing',
  incomplete: 'The gate is incomplete, which is no pass: a report proves nothing',
};

function notify({ note }: Context, { state, reasons, baseRef, reports }: BuildGate, base: string | undefined): void {
  for (const reason of reasons) note(reason, 'failed');
  const compared = baseRef === null ? '' : `, compared with ${baseRef}`;
  note(`${WORDS[state]} (${counted(reports.length, 'report')}${compared}).`, state === 'passed' ? 'done' : 'failed');
  if (base !== undefined && baseRef !== null && base !== baseRef)
    note(`The reports were compared with ${baseRef}, not with ${base}: import them with --base ${base}.`, 'warning');
}
