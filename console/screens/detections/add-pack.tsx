import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Refused } from '../../api/client.ts';
import { refusedBy } from '../../api/question.ts';
import type { Task } from '../../api/types.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Failed } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';
import { Hunt } from './hunt.tsx';
import { followPack, PACK_FILES, PackOutcome, sendPack } from './pack.tsx';

const words = texts.detection.pack;

/** A pack of rules is sent; its task goes on below the buttons, and ends with the rules that were refused. Below, rules that are off are tried. */
export function AddPack({ beside }: { beside: ComponentChildren }) {
  const task = useSignal<Task | undefined>(undefined);
  const error = useSignal<Refused | undefined>(undefined);
  const show = (one: Task) => {
    task.value = one;
  };
  const send = async (file: File, enabled: boolean) => {
    error.value = undefined;
    followPack(await sendPack(file, { enabled }), show).catch((refused: unknown) => {
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
            { name: 'file', label: words.file, kind: 'file', accept: PACK_FILES, required: true },
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
        {task.value && <PackOutcome task={task.value} />}
      </div>
      <details>
        <summary>{texts.detection.past.ofRules}</summary>
        <Hunt asked={{ rules: 'off' }} lead={texts.detection.past.leadOfRules} />
      </details>
    </>
  );
}
