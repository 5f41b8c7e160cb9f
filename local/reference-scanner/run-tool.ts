import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { argumentsOf, type Run, type Tool } from './tools.ts';

export type ToolRun = {
  outcome: 'completed' | 'failed' | 'cancelled';
  error?: { code: string; message: string };
};

/** The service accepts 2,000 characters of an error. */
const longestMessage = 2000;
const stderrTail = 1500;
/** The largest report that the service accepts; a longer report would only fill the disk. */
const largestReport = 1024 ** 3;
/** The time that a tool has to stop before it is killed. */
const graceMs = 5_000;

/** Runs a tool and writes its report to a file. Aborting the signal stops the tool and drops the report. */
export async function runTool(tool: Tool, task: Run & { reportFile: string }, signal: AbortSignal): Promise<ToolRun> {
  const { reportFile } = task;
  const timeout = AbortSignal.timeout(tool.timeoutSeconds * 1000);
  try {
    const exit = await execute(tool.command, argumentsOf(tool, task), {
      reportFile,
      cwd: directoryOf(tool, task),
      env: environmentOf(tool),
      signal: AbortSignal.any([signal, timeout]),
    });
    if (signal.aborted) return { outcome: 'cancelled' };
    if (timeout.aborted)
      return failed('timeout', `${tool.name} took more than ${tool.timeoutSeconds} s and was stopped`);
    if (!tool.exitCodes.includes(exit.code ?? -1))
      return failed('tool_failed', `${tool.name} ended with ${exit.code ?? exit.killedBy}: ${exit.stderr}`);
    if ((await stat(reportFile)).size > 0) return { outcome: 'completed' };
    if (tool.emptyReport === undefined) return failed('no_report', `${tool.name} wrote no report`);
    await writeFile(reportFile, tool.emptyReport);
    return { outcome: 'completed' };
  } catch (error) {
    if (signal.aborted) return { outcome: 'cancelled' };
    return failed('tool_not_run', error instanceof Error ? error.message : String(error));
  }
}

const directoryOf = ({ checkout: place }: Tool, { checkout }: Run): string | undefined =>
  checkout && place === 'outside' ? dirname(checkout) : checkout;

export const failed = (code: string, message: string): ToolRun => ({
  outcome: 'failed',
  error: { code, message: message.slice(0, longestMessage).toWellFormed() },
});

type Environment = Record<string, string | undefined>;

/** Variables that a tool gets: none that may hold a login of this machine. */
const PASSED =
  /^(PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|XDG_(CACHE|CONFIG|DATA)_HOME|SSL_CERT_(FILE|DIR)|https?_proxy|no_proxy)$/i;

const environmentOf = ({ environment }: Tool): Environment => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name))),
  ...environment,
});

type Exit = { code: number | null; killedBy: string | null; stderr: string };

/** Starts the tool in its own process group, so that its child processes end with it. */
async function execute(
  command: string,
  argv: string[],
  {
    reportFile,
    signal,
    ...place
  }: { reportFile: string; cwd: string | undefined; env: Environment; signal: AbortSignal },
): Promise<Exit> {
  signal.throwIfAborted();
  const child = spawn(command, argv, { ...place, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const kill = (name: NodeJS.Signals) => killGroup(child.pid, name);
  const stop = () => {
    kill('SIGTERM');
    setTimeout(() => kill('SIGKILL'), graceMs).unref();
  };
  signal.addEventListener('abort', stop, { once: true });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-stderrTail);
  });
  const report = pipeline(child.stdout, limited, createWriteStream(reportFile, { mode: 0o600 })).catch(
    (error: Error) => {
      kill('SIGKILL');
      return error;
    },
  );
  try {
    const exit = await new Promise<Omit<Exit, 'stderr'>>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, killedBy) => resolve({ code, killedBy }));
    });
    kill('SIGKILL');
    const broken = await report;
    if (broken && !signal.aborted) throw broken;
    return { ...exit, stderr };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function* limited(output: Readable): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of output) {
    size += chunk.length;
    if (size > largestReport) throw new Error(`the report is over ${largestReport} bytes`);
    yield chunk;
  }
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}
