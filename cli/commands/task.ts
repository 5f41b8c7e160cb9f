import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, type Exit } from '../errors.ts';
import { minutes } from '../numbers.ts';
import { finishedTask } from '../tasks.ts';
import { oneLine } from '../texts.ts';

type Options = { timeout: number };

/** `exposure task wait` */
export const define: Define = (command, act) => {
  command
    .command('wait <id>')
    .description('wait for the end of a task; exit code 5 if it fails')
    .option('--timeout <minutes>', 'how long to wait', minutes, 15)
    .action(act(waitFor));
};

async function waitFor(context: Context, id: string, { timeout }: Options): Promise<Exit> {
  const until = Date.now() + timeout * 60_000;
  const task = await finishedTask(context, await context.client(), { id, name: `Task ${id}`, until });
  const { colours } = context;
  const isDone = task.status === 'succeeded';
  if (context.options.json) context.print(JSON.stringify(task));
  else context.print(`${isDone ? colours.green('✓') : colours.red('✗')} ${task.operation} ${task.status}`);
  if (task.error) context.note(oneLine(task.error.message));
  return isDone ? EXIT.passed : EXIT.incomplete;
}
