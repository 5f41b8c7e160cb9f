import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { argumentsOf, type Tool } from '#local/reference-scanner/tools.ts';

export type ToolRun = {
  outcome: 'completed' | 'failed' | 'cancelled';
  reportFile: string;
  error?: { code: string; message: string };
};

const errorTail = 2000;

/** Runs a tool and writes its report to a file. Aborting the signal stops it; its report then does not count. */
export async function runTool(
  tool: Tool,
  task: { target: string; parameters: Record<string, unknown>; reportFile: string },
  signal: AbortSignal,
): Promise<ToolRun> {
  const { reportFile } = task;
  const timeout = AbortSignal.timeout(tool.timeoutSeconds * 1000);
  const failed = (code: string, message: string): ToolRun => ({
    outcome: 'failed',
    reportFile,
    error: { code, message },
  });
  try {
    const exit = await execute(tool.command, argumentsOf(tool, task.target, task.parameters), {
      reportFile,
      signal: AbortSignal.any([signal, timeout]),
    });
    if (signal.aborted) return { outcome: 'cancelled', reportFile };
    if (timeout.aborted)
      return failed('timeout', `${tool.name} took more than ${tool.timeoutSeconds} s and was stopped`);
    if (!tool.exitCodes.includes(exit.code ?? -1))
      return failed('tool_failed', `${tool.name} ended with ${exit.code}: ${exit.stderr}`);
    if ((await stat(reportFile)).size === 0) return failed('no_report', `${tool.name} wrote no report`);
    return { outcome: 'completed', reportFile };
  } catch (error) {
    return failed('tool_not_run', error instanceof Error ? error.message : String(error));
  }
}

async function execute(
  command: string,
  argv: string[],
  { reportFile, signal }: { reportFile: string; signal: AbortSignal },
) {
  const child = spawn(command, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-errorTail);
  });
  const report = child.stdout.pipe(createWriteStream(reportFile, { mode: 0o600 }));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  await finished(report);
  signal.removeEventListener('abort', stop);
  return { code, stderr };
}
