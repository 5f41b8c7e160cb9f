import type { Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isTyping } from '../filter/filter-bar.tsx';
import { texts } from '../texts.ts';
import type { Choice } from './choice.ts';
import type { Column, RecordKind } from './kind.ts';
import type { Pages } from './pages.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

const ROW_HEIGHT = 46;
const PHONE_ROW_HEIGHT = 84;
const PHONE = matchMedia('(max-width: 760px)');

type GridProps<T extends { id: string }> = {
  kind: RecordKind<T>;
  /** Those that the person wants to see. */
  columns: readonly Column<T>[];
  pages: Pages<T>;
  count: number;
  choice: Choice | undefined;
  active: Signal<number>;
  open: string | undefined;
  show: (id: string | undefined) => void;
};

/** A list of any length by the keyboard (j, k, x, Enter) and the mouse. Only the rows in view are in the document. */
export function Grid<T extends { id: string }>(props: GridProps<T>) {
  const { kind, columns, pages, count, choice, active } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const virtual = useVirtualRows({ count, rowHeight, scroller });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => pages.want(first, last), [pages, first, last]);
  useKeys(props, (index) => {
    virtual.scrollToIndex(index);
    if (!props.open) scroller.current?.focus({ preventScroll: true });
  });
  const rows = pages.rows.value;
  return (
    <div
      ref={scroller}
      class={`grid${choice ? ' grid-choice' : ''}`}
      style={tracksOf(columns)}
      role="grid"
      aria-label={kind.title}
      aria-rowcount={count + 1}
      aria-activedescendant={`row-${active.value}`}
      tabIndex={0}
    >
      <div class="row row-head" role="row" aria-rowindex={1}>
        {choice && (
          <span role="columnheader">
            <span class="unseen">{texts.list.choose('')}</span>
          </span>
        )}
        {columns.map(({ name, label, shown = '' }) => (
          <span key={name} role="columnheader" class={`cell-${name} cell-${shown}`}>
            {label}
          </span>
        ))}
      </div>
      <div class="rows" role="rowgroup" style={{ height: `${virtual.getTotalSize()}px` }}>
        {items.map(({ index, start }) => (
          <Row key={index} {...props} row={rows.get(index)} index={index} start={start} />
        ))}
      </div>
    </div>
  );
}

const USUAL_WIDTH = '112px';

/** The tracks of the columns, for a wide screen and for one that leaves some out. */
function tracksOf<T>(columns: readonly Column<T>[]): Record<string, string> {
  const tracks = (some: readonly Column<T>[]) =>
    some.map(({ name, width }) => width ?? (name === 'title' ? 'minmax(200px, 3fr)' : USUAL_WIDTH)).join(' ');
  return { '--tracks': tracks(columns), '--narrow-tracks': tracks(columns.filter(({ shown }) => shown !== 'wide')) };
}

type RowProps<T extends { id: string }> = GridProps<T> & { row: T | undefined; index: number; start: number };

function Row<T extends { id: string }>({ kind, columns, row, index, start, choice, active, open, show }: RowProps<T>) {
  const isActive = active.value === index;
  const place = { transform: `translateY(${start}px)` };
  const common = { id: `row-${index}`, 'aria-rowindex': index + 2, style: place };
  if (!row)
    return (
      <div {...common} role="row" class="row row-loading">
        <span role="gridcell">{texts.loading}</span>
      </div>
    );
  const isChosen = choice ? choice.isAll.value || choice.ids.value.has(row.id) : false;
  const reveal = () => {
    active.value = index;
    show(row.id);
  };
  return (
    <div
      {...common}
      role="row"
      class={`row${isActive ? ' row-active' : ''}${open === row.id ? ' row-open' : ''}`}
      aria-selected={isChosen}
      onClick={reveal}
    >
      {choice && (
        <span role="gridcell" class="cell-choice" onClick={(event) => event.stopPropagation()}>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isChosen}
            aria-label={texts.list.choose(kind.titleOf(row))}
            onChange={() => choice.toggle(row.id)}
          />
        </span>
      )}
      {columns.map(({ name, label, cell, shown = '' }) => (
        <span
          key={name}
          role="gridcell"
          class={`cell-${name} cell-${shown}`}
          data-label={shown === 'named' ? label : undefined}
        >
          {cell(row)}
        </span>
      ))}
    </div>
  );
}

function useRowHeight(): number {
  const [isPhone, set] = useState(PHONE.matches);
  useEffect(() => {
    const look = () => set(PHONE.matches);
    PHONE.addEventListener('change', look);
    return () => PHONE.removeEventListener('change', look);
  }, []);
  return isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT;
}

const STEPS: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

function useKeys<T extends { id: string }>(props: GridProps<T>, moveTo: (index: number) => void): void {
  const { pages, count, choice, active, open, show } = props;
  // before the browser paints: a key that follows at once already meets what the key before it opened or closed
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      const row = pages.rows.value.get(active.value);
      const step = STEPS[event.key];
      // in an open drawer, arrows scroll its content
      if (open && event.key.length > 1) return;
      if (step) {
        active.value = Math.max(0, Math.min(count - 1, active.value + step));
        moveTo(active.value);
        const next = pages.rows.value.get(active.value);
        if (open && next) show(next.id);
      } else if (event.key === 'x' && row && choice) choice.toggle(row.id);
      else if (event.key === 'Enter' && row && !isOnControl(event)) show(row.id);
      // the key then acts in the record (shell/keys.tsx)
      else if ((event.key === 'e' || event.key === 'a') && row && !choice?.isAny.value) show(row.id);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [pages, count, choice, open, show]);
}

/** Enter on a link or a button is theirs. */
const isOnControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.closest('a, button, summary') !== null;
