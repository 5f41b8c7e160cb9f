import { Option } from 'commander';
import { type BuildOptions, buildOf, namedBuild } from '../build.ts';
import { withBuildOptions } from '../build-options.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, type Exit } from '../errors.ts';
import { reportsOf } from '../gate/reports.ts';
import { type Conditions, type Verdict, verdictOf } from '../gate/verdict.ts';
import { minutes, numberFrom } from '../numbers.ts';
import { type OutputOptions, withOutputs, withoutCommands, writeOutputs } from '../output/write.ts';
import { tablePages } from '../table.ts';
import { counted } from '../texts.ts';

type Options = BuildOptions &
  OutputOptions & {
    failOn: Conditions['failOn'];
    newOnly: boolean;
    kev?: boolean;
    filter?: string;
    maxAgeDays?: number;
    task?: string[];
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
  exposure gate --fail-on critical --kev --reports 2`;

async function gate(context: Context, options: Options): Promise<Exit> {
  const build = await buildOf(context.env, options);
  const { failOn, newOnly, kev, maxAgeDays, task = [], reports: least } = options;
  const filters = [kev ? 'kev:true' : '', options.filter ? `(${options.filter})` : ''].filter((one) => one !== '');
  const conditions = { failOn, newOnly, maxAgeDays, filter: filters.length > 0 ? filters.join(' ') : undefined };
  const { url } = await context.access();
  const named = task.map((id) => ({ file: `import ${id}`, taskId: id }));
  const own = task.length > 0 ? [] : await reportsOf(context.env, { url, ...namedBuild(build) });
  const until = Date.now() + options.timeout * 60_000;
  const verdict = await verdictOf(context, await context.client(), {
    reports: [...named, ...own],
    conditions,
    least,
    until,
  });
  await withoutCommands(context, options, () =>
    context.options.json ? context.print(JSON.stringify(verdict)) : show(context, verdict),
  );
  const { findings, state, reasons, baseRef } = verdict;
  await writeOutputs(context, options, { findings, verdict: { passed: state === 'passed', reasons, baseRef } });
  notify(context, verdict, build.baseRef);
  return EXITS[verdict.state];
}

const EXITS: Record<Verdict['state'], Exit> = {
  passed: EXIT.passed,
  failed: EXIT.gateFailed,
  incomplete: EXIT.incomplete,
};

/** The findings that fail the gate, for people. */
function show(context: Context, { findings }: Verdict): void {
  if (findings.length === 0) return;
  const rows = findings.map(({ isNew, ...finding }) => ({ ...finding, new: isNew ? 'new' : '' }));
  const columns = ['severity', 'new', 'title', 'location', 'ruleId', 'id'];
  context.print(tablePages(context, { columns, wide: ['title', 'location', 'ruleId'] })(rows).trimEnd());
}

const WORDS: Record<Verdict['state'], string> = {
  passed: 'The gate passed',
  failed: 'The gate failed',
  incomplete: 'The gate is incomplete, which is no pass',
};

function notify({ note }: Context, { state, reasons, baseRef, reports }: Verdict, base: string | undefined): void {
  for (const reason of reasons) note(reason, 'failed');
  const compared = baseRef === null ? '' : `, compared with ${baseRef}`;
  note(`${WORDS[state]} (${counted(reports.length, 'report')}${compared}).`, state === 'passed' ? 'done' : 'failed');
  if (base !== undefined && baseRef !== null && base !== baseRef)
    note(`The reports were compared with ${baseRef}, not with ${base}: import them with --base ${base}.`, 'warning');
}
