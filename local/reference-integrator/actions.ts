import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod';

/** The programs that take response actions, by the type of action: nothing else is ever run. */
export const Programs = z.record(
  z.string(),
  z.object({ command: z.array(z.string()).min(1), targetTypes: z.array(z.string()).optional() }),
);
export type Programs = z.infer<typeof Programs>;

export const Action = z.looseObject({ id: z.string(), type: z.string() });
export type Action = z.infer<typeof Action>;

/** The outcome of an action, as it is reported. */
export type Outcome = {
  taskId: string;
  outcome: 'completed' | 'failed';
  summary?: string;
  error?: { code: string; message: string };
};

const LIMIT_MS = 300_000;
/** The end of a program's output, which is kept. */
const LONGEST = 2000;

/**
 * Runs the program of an action, which gets the action as JSON on its standard input. Exit code 0: it is done, and what the
 * program wrote is the summary.
 */
export async function take(action: Action, programs: Programs): Promise<Outcome> {
  const failed = (code: string, message: string): Outcome => ({
    taskId: action.id,
    outcome: 'failed',
    error: { code, message: message.slice(-LONGEST) },
  });
  const [program, ...args] = programs[action.type]?.command ?? [];
  if (!program) return failed('not_offered', `no program is set for ${action.type}`);
  const child = spawn(program, args, { signal: AbortSignal.timeout(LIMIT_MS) });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      said = (said + text).slice(-LONGEST);
    });
  // a program that does not read its input ends the pipe: its exit code has the failure
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(action));
  try {
    const [code] = await once(child, 'close');
    return code === 0
      ? { taskId: action.id, outcome: 'completed', summary: said.trim() || 'done' }
      : failed('program_failed', said.trim() || `exit code ${code}`);
  } catch (error) {
    return failed('program_failed', error instanceof Error ? error.message : String(error));
  }
}
