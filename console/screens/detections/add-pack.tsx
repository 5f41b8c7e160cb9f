import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { answerOf, client, type Refused } from '../../api/client.ts';
import { askAgain, refusedBy } from '../../api/question.ts';
import type { Task } from '../../api/types.ts';
import { upload } from '../../api/upload.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Failed } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';

const words = texts.detection.pack;
const WAIT_SECONDS = 2;

const isOver = ({ status }: Task) => !['queued', 'running'].includes(status);

/** A pack of rules is sent; its task goes on below the buttons, and ends with the rules that were refused. */
export function AddPack({ beside }: { beside: ComponentChildren }) {
  const task = useSignal<Task | undefined>(undefined);
  const error = useSignal<Refused | undefined>(undefined);
  const follow = async (id: string) => {
    do {
      const at = { params: { path: { id }, query: { waitSeconds: WAIT_SECONDS } } };
      task.value = await answerOf(client.GET('/api/v1/tasks/{id}', at));
    } while (!isOver(task.value));
    askAgain();
  };
  const send = async (file: File, enabled: boolean) => {
    error.value = undefined;
    const uploadId = await upload(file, file.name, () => undefined);
    const { taskId } = await answerOf(client.POST('/api/v1/detection/rules/packs', { body: { uploadId, enabled } }));
    follow(taskId).catch((refused: unknown) => {
      error.value = refusedBy(refused);
    });
  };
  return (
    <>
      <div class="actions">
        {beside}
        <FormDialog
          label={words.add}
          lead={words.lead}
          look="plain"
          fields={[
            { name: 'file', label: words.file, kind: 'file', accept: '.zip,.yml,.yaml', required: true },
            { name: 'enabled', label: words.enabled, kind: 'check' },
          ]}
          send={async ({ file, isChecked }): Promise<undefined> => {
            const pack = file('file');
            if (pack) await send(pack, isChecked('enabled'));
          }}
        />
      </div>
      <div aria-live="polite">
        {error.value && <Failed error={error.value} />}
        {task.value && <Outcome task={task.value} />}
      </div>
    </>
  );
}

type RefusedRule = { file: string; message: string };

function Outcome({ task }: { task: Task }) {
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
