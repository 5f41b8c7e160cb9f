import { buildOf } from '../build.ts';
import { answerOf, Refused } from '../client.ts';
import type { Define } from '../command.ts';
import type { Context } from '../context.ts';
import { usage } from '../errors.ts';

type Options = { repository?: string; ref: string };

/** `exposure branch end` */
export const define: Define = (command, act) => {
  command
    .command('end')
    .description('end a branch that was deleted or merged: its findings leave the lists')
    .option('--repository <address>', 'the whole address of the repository')
    // a job about a deleted branch runs on the default branch: only a person or the kit can say which branch is meant
    .requiredOption('--ref <name>', 'the branch')
    .action(act(end));
};

/** Ends a branch. One that nobody scanned has nothing to end. */
async function end(context: Context, options: Options): Promise<undefined> {
  const { ref } = options;
  const { repository } = await buildOf(context.env, options);
  if (!repository) throw usage('The repository is unknown.', 'Add --repository.');
  const client = await context.client();
  try {
    await answerOf(client.DELETE('/api/v1/scanned-branches', { params: { query: { repository, ref } } }));
    context.note(`The branch ${ref} has ended.`, 'done');
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'not_found') throw error;
    context.note(`The branch ${ref} was not scanned, or has ended.`);
  }
  return undefined;
}
