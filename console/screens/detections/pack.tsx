import { answerOf, client } from '../../api/client.ts';
import { askAgain } from '../../api/question.ts';
import { isOver, readTask, untilOver } from '../../api/task.ts';
import type { Task } from '../../api/types.ts';
import { upload } from '../../api/upload.ts';
import { texts } from '../../texts.ts';

const words = texts.detection.pack;
const WAIT_SECONDS = 2;

export const PACK_FILES = '.zip,.yml,.yaml';

type HowToSend = { enabled: boolean; sent?: (part: number) => void };

/** Puts a pack of rules to the storage. @returns the task that imports it. @throws Refused, or with what the storage answered */
export async function sendPack(file: File, { enabled, sent = () => undefined }: HowToSend): Promise<string> {
  const uploadId = await upload(file, file.name, sent);
  const { taskId } = await answerOf(client.POST('/api/v1/detection/rules/packs', { body: { uploadId, enabled } }));
  return taskId;
}

/** Shows the task of a pack until it is over. @throws Refused */
export async function followPack(taskId: string, show: (task: Task) => void): Promise<void> {
  await untilOver(() => readTask(taskId, WAIT_SECONDS), show);
  askAgain();
}

type RefusedRule = { file: string; message: string };

/** How far the import of a pack is, and the rules that were refused. */
export function PackOutcome({ task }: { task: Task }) {
  if (task.error) return <p class="overdue">{task.error.message}</p>;
  const { progress, result = {} } = task;
  if (!isOver(task)) return <p class="soft">{words.progress(progress.done, progress.total)}</p>;
  const amount = (name: string) => Number(Reflect.get(result, name) ?? 0);
  const refused: readonly RefusedRule[] = Reflect.get(result, 'refused') ?? [];
  return (
    <>
      <p class="strong">{words.done(amount('created'), amount('updated'), amount('unchanged'))}</p>
      {refused.length > 0 && (
        <details>
          <summary>{words.refused(amount('refusedCount'), refused.length)}</summary>
          <ul class="related">
            {refused.map(({ file, message }) => (
              <li key={file}>
                <span class="strong">{file}</span>
                <span class="soft small">{message}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
