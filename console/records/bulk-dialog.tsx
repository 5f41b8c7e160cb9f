import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Refused } from '../api/client.ts';
import { refusedBy } from '../api/question.ts';
import { AcceptForm } from '../parts/accept-form.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { pageOf } from '../shell/links.ts';
import { count } from '../texts/amounts.ts';
import { texts } from '../texts.ts';
import {
  apply,
  type BulkAction,
  type BulkKind,
  type Change,
  type Preview,
  preview,
  recordsOf,
  type Selection,
} from './bulk.ts';

const words = texts.bulk;

type BulkDialogProps<S extends string> = {
  kind: BulkKind<S>;
  action: BulkAction<S>;
  selection: Selection;
  close: () => void;
  applied: () => void;
};

/** The exact effect of a change of many records, before it is made. */
export function BulkDialog<S extends string>({ kind, action, selection, close, applied }: BulkDialogProps<S>) {
  const { status, label } = action;
  const change = useSignal<Change<S> | undefined>(status === kind.accepted ? undefined : { status });
  const found = useSignal<{ preview?: Preview | undefined; error?: Refused } | undefined>(undefined);
  const isWorking = useSignal(false);
  useEffect(() => {
    if (!change.value) return;
    preview(kind, selection, change.value).then(
      (answer) => {
        found.value = { preview: answer };
      },
      (error: unknown) => {
        found.value = { error: refusedBy(error) };
      },
    );
  }, [change.value]);
  const run = async (wanted: Change<S>) => {
    isWorking.value = true;
    await apply({ kind, selection, change: wanted, changed: applied });
    close();
  };
  const { preview: shown, error } = found.value ?? {};
  return (
    <Dialog kind="dialog" title={words.title(label)} close={close}>
      {!change.value && (
        <AcceptForm
          accept={({ reason, acceptedUntil }) => {
            change.value = { status, acceptedUntil, reason };
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
      {shown && <Effect preview={shown} words={kind.words} />}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {texts.cancel}
        </button>
        {shown && change.value && (
          <Apply
            amount={shown.changed}
            words={kind.words}
            isWorking={isWorking.value}
            run={() => change.value && run(change.value)}
          />
        )}
      </div>
    </Dialog>
  );
}

type Words = { words: { one: string; many: string } };
type ApplyProps = Words & { amount: number; isWorking: boolean; run: () => void };

const Apply = ({ amount, words: names, isWorking, run }: ApplyProps) => (
  <button type="button" class="button main" disabled={isWorking || amount === 0} onClick={run}>
    {isWorking ? words.working : words.apply(recordsOf(names, amount))}
  </button>
);

const Effect = ({
  preview: { changed, matched, sample, refused, refusedCount, links },
  words: names,
}: Words & { preview: Preview }) => (
  <div>
    <p class="strong">{words.would(recordsOf(names, changed), count(matched))}</p>
    <ul class="sample">
      {sample.map(({ id, title, account, location }) => (
        <li key={id} class="cut">
          {title ?? account} <span class="soft small">{location}</span>
        </li>
      ))}
    </ul>
    {refusedCount > 0 && (
      <>
        <p>{words.refused(recordsOf(names, refusedCount))}</p>
        <ul class="sample">
          {[...new Set(refused.map(({ message }) => message))].map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      </>
    )}
    {changed > 0 && <Link href={pageOf(links.list) ?? '/'}>{words.show}</Link>}
  </div>
);
