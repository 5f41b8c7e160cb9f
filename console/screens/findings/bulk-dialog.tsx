import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Refused } from '../../api/client.ts';
import { refusedBy } from '../../api/question.ts';
import type { FindingStatus, FindingsPreview } from '../../api/types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { pageOf } from '../../shell/links.ts';
import { texts } from '../../texts.ts';
import { AcceptForm } from './actions.tsx';
import { apply, type Change, preview } from './bulk.ts';

const words = texts.bulk;

type BulkDialogProps = {
  status: FindingStatus;
  selection: Parameters<typeof preview>[0];
  close: () => void;
  applied: () => void;
};

/** The exact effect of a change of many findings, before it is made. */
export function BulkDialog({ status, selection, close, applied }: BulkDialogProps) {
  const change = useSignal<Change | undefined>(status === 'risk_accepted' ? undefined : { changes: { status } });
  const found = useSignal<{ preview?: FindingsPreview | undefined; error?: Refused } | undefined>(undefined);
  const isWorking = useSignal(false);
  useEffect(() => {
    if (!change.value) return;
    preview(selection, change.value).then(
      (answer) => {
        found.value = answer;
      },
      (error: unknown) => {
        found.value = { error: refusedBy(error) };
      },
    );
  }, [change.value]);
  const run = async (wanted: Change) => {
    isWorking.value = true;
    await apply(selection, wanted, applied);
    close();
  };
  const { preview: shown, error } = found.value ?? {};
  return (
    <Dialog kind="dialog" title={words.title(texts.finding.actions[status])} close={close}>
      {!change.value && (
        <AcceptForm
          accept={({ reason, acceptedUntil }) => {
            change.value = { changes: { status, acceptedUntil }, reason };
          }}
        />
      )}
      {change.value && !found.value && (
        <>
          <p>{words.asking}</p>
          <Loading lines={3} />
        </>
      )}
      {error && <Failed error={error} />}
      {found.value && !error && !shown && <p>{words.waiting}</p>}
      {shown && <Effect preview={shown} />}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {texts.cancel}
        </button>
        {shown && change.value && <Apply preview={shown} isWorking={isWorking.value} change={change.value} run={run} />}
      </div>
    </Dialog>
  );
}

type ApplyProps = {
  preview: FindingsPreview;
  isWorking: boolean;
  change: Change;
  run: (change: Change) => Promise<void>;
};

const Apply = ({ preview: { changed }, isWorking, change, run }: ApplyProps) => (
  <button type="button" class="button main" disabled={isWorking || changed === 0} onClick={() => void run(change)}>
    {isWorking ? words.working : words.apply(changed)}
  </button>
);

const Effect = ({
  preview: { changed, matched, sample, refused, refusedCount, links },
}: {
  preview: FindingsPreview;
}) => (
  <div>
    <p class="strong">{words.would(changed, matched)}</p>
    <ul class="sample">
      {sample.map(({ id, title, location }) => (
        <li key={id} class="cut">
          {title} <span class="soft small">{location}</span>
        </li>
      ))}
    </ul>
    {refusedCount > 0 && (
      <>
        <p>{words.refused(refusedCount)}</p>
        <ul class="sample">
          {[...new Set(refused.map(({ message }) => message))].map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      </>
    )}
    {changed > 0 && <Link href={pageOf(links.list) ?? '/findings'}>{words.show}</Link>}
  </div>
);
