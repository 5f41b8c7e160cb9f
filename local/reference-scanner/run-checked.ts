import type * as z from 'zod';
import type { NewTasks } from './answers.ts';
import { handOver, writeName } from './handed.ts';
import { startProxy } from './proxy.ts';
import { pagesOf, type Resolver } from './reach.ts';
import { failed, runTool, type ToolRun } from './run-tool.ts';
import { hasProxy, type Tool } from './tools.ts';

type Task = z.infer<typeof NewTasks>['tasks'][number];
type Work = { task: Task; reportFile: string; resolve: Resolver };

/** Runs a tool on what its task may touch, and on nothing else. */
export async function runChecked(tool: Tool, { task, reportFile, resolve }: Work, stop: AbortSignal): Promise<ToolRun> {
  let handed: Awaited<ReturnType<typeof handOver>>;
  try {
    handed = await handOver(tool, task, resolve);
  } catch (error) {
    return failed('out_of_reach', error instanceof Error ? error.message : String(error));
  }
  const proxy = hasProxy(tool) ? await startProxy(handed.reach) : undefined;
  const { parameters } = task;
  const run = { target: handed.target, exclusions: pagesOf(task), parameters, reportFile, proxy: proxy?.url };
  const ended = await runTool(tool, run, stop).finally(() => proxy?.stop());
  if (ended.outcome === 'completed' && handed.named && tool.format === 'nmap')
    await writeName(reportFile, handed.named);
  return ended;
}
