import { useSignal } from '@preact/signals';
import { texts } from '../texts.ts';
import { type BulkAction, type BulkKind, selectionOf } from './bulk.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import type { BulkProps } from './kind.ts';

/** The changes of all chosen records. Each shows first what it would change. */
export const bulkOf = <S extends string>(kind: BulkKind<S>) =>
  function Bulk(props: BulkProps) {
    return <BulkBar kind={kind} {...props} />;
  };

function BulkBar<S extends string>({ kind, choice, search, total, changed }: BulkProps & { kind: BulkKind<S> }) {
  const action = useSignal<BulkAction<S> | undefined>(undefined);
  const isAll = choice.isAll.value;
  const ids = [...choice.ids.value];
  return (
    <div class="bulk" role="region" aria-label={texts.bulk.label(kind.words.many)}>
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
        {kind.actions.map((one, n) => (
          <button
            key={one.status}
            type="button"
            class="button"
            data-key={n === 0 ? 'e' : undefined}
            onClick={() => {
              action.value = one;
            }}
          >
            {one.label}
          </button>
        ))}
        {kind.Other && !isAll && <kind.Other ids={ids} done={choice.none} />}
      </span>
      {action.value && (
        <BulkDialog
          kind={kind}
          action={action.value}
          selection={isAll ? selectionOf(kind, search) : { ids }}
          close={() => {
            action.value = undefined;
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
