import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question, refusedBy } from '../../api/question.ts';
import type { ImportedReport } from '../../api/types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { notify } from '../../parts/toasts.tsx';
import { pageOf } from '../../shell/links.ts';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';
import { confirmClosing, undoImport } from './uploads.ts';

const words = texts.imports;

/** No operation reads one import: its page of the list has it. */
const useImport = question(async (id: string) => {
  const newest = await answerOf(client.GET('/api/v1/findings/imports', { params: { query: { paginateSize: 200 } } }));
  return newest.data.find((one) => one.id === id);
});

type DrawerProps = { id: string; found: readonly ImportedReport[] | undefined; close: () => void };

/** An import beside the list: what it was, what came of it, and how to take it back. */
export function ImportDrawer({ id, found, close }: DrawerProps) {
  const { data, error, ask } = useImport(id);
  const one = found?.find((other) => other.id === id) ?? data;
  return (
    <Dialog
      kind="drawer"
      title={one ? words.from(one.tools.join(', ') || one.format, one.target?.value) : words.title}
      close={close}
    >
      {error && !one && <Failed error={error} again={ask} />}
      {!error && !one && <Loading lines={8} />}
      {one && <Content one={one} />}
    </Dialog>
  );
}

const Content = ({ one }: { one: ImportedReport }) => {
  const { format, error, receivedAt, createdBy, held, incomplete = [], links, taskId, undone, status } = one;
  const findings = pageOf(links.findings);
  return (
    <div class="drawer-content">
      <p class="drawer-marks">
        <span class="tag">{words.recognised(format)}</span>
        {status === 'undone' && <span class="tag">{words.undone}</span>}
      </p>
      <p class="soft small">
        {words.sender} {createdBy.name}, {agoOf(receivedAt)}
      </p>
      {error && <p class="overdue">{error.message}</p>}
      {held && (
        <Section title={words.held(held.count)}>
          <p>{words.heldWhy}</p>
          <Act label={words.confirm(held.count)} run={() => confirmClosing(taskId)} done={words.confirmed} />
        </Section>
      )}
      <Section title={words.counts}>
        <Counts counts={one.counts} />
        {findings && <Link href={findings}>{words.showAll}</Link>}
      </Section>
      {incomplete.length > 0 && (
        <Section title={words.incomplete}>
          <ul>
            {incomplete.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </Section>
      )}
      {undone && <p>{words.undoneBy(undone.by.name, agoOf(undone.at))}</p>}
      {links.undo && status !== 'undone' && (
        <Section title={words.undo}>
          <p class="soft">{words.undoHint}</p>
          <Act label={words.undo} run={() => undoImport(taskId)} done={words.undone} />
        </Section>
      )}
    </div>
  );
};

const AMOUNTS = ['created', 'updated', 'unchanged', 'closed', 'reopened', 'rejected'] as const;

const Counts = ({ counts }: Pick<ImportedReport, 'counts'>) => (
  <dl class="facts-list">
    {AMOUNTS.map((name) => (
      <div key={name}>
        <dt>{words.amounts[name]}</dt>
        <dd>{count(counts[name])}</dd>
      </div>
    ))}
  </dl>
);

type ActProps = { label: string; run: () => Promise<void>; done: string };

const Act = ({ label, run, done }: ActProps) => {
  const isWorking = useSignal(false);
  const onClick = async () => {
    isWorking.value = true;
    await run().then(
      () => notify(done),
      (refused: unknown) => notify(refusedBy(refused).message, { isError: true }),
    );
    isWorking.value = false;
  };
  return (
    <button type="button" class="button" disabled={isWorking.value} onClick={() => void onClick()}>
      {label}
    </button>
  );
};
