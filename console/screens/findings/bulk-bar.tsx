import { useSignal } from '@preact/signals';
import type { FindingStatus } from '../../api/types.ts';
import type { BulkProps } from '../../records/kind.ts';
import { texts } from '../../texts.ts';
import { selectionOf } from './bulk.ts';
import { BulkDialog } from './bulk-dialog.tsx';

const ACTIONS: readonly FindingStatus[] = [
  'in_progress',
  'fixed',
  'false_positive',
  'risk_accepted',
  'out_of_scope',
  'open',
];

/** The changes of all chosen findings. Each shows first what it would change. */
export function BulkBar({ choice, search, total, changed }: BulkProps) {
  const status = useSignal<FindingStatus | undefined>(undefined);
  const isAll = choice.isAll.value;
  const ids = [...choice.ids.value];
  return (
    <div class="bulk" role="region" aria-label={texts.bulk.label}>
      <strong>{isAll ? texts.list.allChosen(total) : texts.list.chosen(ids.length)}</strong>
      {!isAll && (
        <button type="button" class="link" onClick={choice.all}>
          {texts.list.chooseAll(total)}
        </button>
      )}
      <button type="button" class="link" onClick={choice.none}>
        {texts.list.clearChosen}
      </button>
      <span class="actions">
        {ACTIONS.map((one) => (
          <button
            key={one}
            type="button"
            class="button"
            onClick={() => {
              status.value = one;
            }}
          >
            {texts.finding.actions[one]}
          </button>
        ))}
      </span>
      {status.value && (
        <BulkDialog
          status={status.value}
          selection={isAll ? selectionOf(search) : { ids }}
          close={() => {
            status.value = undefined;
          }}
          applied={() => {
            choice.none();
            changed();
          }}
        />
      )}
    </div>
  );
}
