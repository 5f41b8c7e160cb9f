import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { askAgain, useAskedAgain } from '../api/question.ts';
import { FilterBar } from '../filter/filter-bar.tsx';
import { clockOf } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { useEvery } from '../parts/use-every.ts';
import { texts } from '../texts.ts';
import { makeChoice } from './choice.ts';
import { type Hidden, makeHidden } from './columns.ts';
import { Grid } from './grid.tsx';
import type { RecordKind } from './kind.ts';
import { ListTools } from './list-tools.tsx';
import { memoryOf } from './memory.ts';
import { makePages, type Pages } from './pages.ts';
import { type Address, useAddress } from './use-address.ts';
import { useLive } from './use-live.ts';

/** Sorted lists end here: the service has no positions beyond. */
const MOST_SORTED = 1_000;

/** The page of a kind of records: filter, list, drawer, and changes of many. */
export function RecordList<T extends { id: string }>({ kind }: { kind: RecordKind<T> }) {
  const address = useAddress();
  const { search, open } = address;
  const memory = memoryOf(kind);
  const pages = useMemo(() => makePages(memory, search), [memory, search]);
  const choice = useMemo(makeChoice, [memory, search]);
  const hidden = useMemo(() => makeHidden(kind.name), [kind]);
  const active = useSignal(0);
  useAskedAgain(pages.refresh);
  // with the list, an open record and its figures
  useLive(kind.feed, askAgain);
  useEvery(kind.everyMs, askAgain);
  useEffect(() => {
    active.value = 0;
  }, [pages]);
  const { Drawer, Bulk } = kind;
  const total = pages.total.value ?? 0;
  const count = address.sort === 'newest' ? total : Math.min(total, MOST_SORTED);
  return (
    <div class="records">
      <Head kind={kind} address={address} pages={pages} hidden={hidden} />
      {count < total && <p class="note">{texts.list.only(MOST_SORTED)}</p>}
      {Bulk && choice.isAny.value && <Bulk choice={choice} search={search} total={total} changed={pages.refresh} />}
      <Body kind={kind} address={address} pages={pages}>
        <Grid
          kind={kind}
          columns={hidden.of(kind.columns)}
          pages={pages}
          count={count}
          choice={Bulk ? choice : undefined}
          active={active}
          open={open}
          show={address.show}
        />
      </Body>
      {open && <Drawer id={open} close={() => address.show(undefined)} changed={pages.refresh} />}
    </div>
  );
}

type PartProps<T extends { id: string }> = { kind: RecordKind<T>; address: Address; pages: Pages<T>; hidden: Hidden };

function Head<T extends { id: string }>({ kind, address, pages, hidden }: PartProps<T>) {
  const { filter, set } = address;
  const isFacet = (name: string) => kind.shownBy?.includes(name) || kind.facets?.some((facet) => facet.name === name);
  const others = address.others.filter(([name]) => !isFacet(name));
  const { one, many } = kind.words;
  const { list } = texts;
  const total = pages.total.value;
  const shown = total === undefined ? '' : texts.list.total(total, one, many);
  return (
    <header class="records-head">
      <div class="records-title">
        <h1>{kind.title}</h1>
        <span class="total" aria-live="polite">
          {pages.isTruncated.value ? texts.list.atLeast(shown) : shown}
        </span>
        {pages.readAt.value !== undefined && (
          <span class="soft small">{texts.list.asOf(clockOf(pages.readAt.value))}</span>
        )}
        <span class="soft small keys" hidden={total === 0}>
          {(kind.Bulk ? list.keysOfMany : list.keys)(kind.entity ? list.filters : list.searches)}
        </span>
      </div>
      {kind.Lead && <kind.Lead />}
      <div class="records-tools">
        {kind.entity && (
          <FilterBar
            entity={kind.entity}
            hint={kind.words.filterHint ?? ''}
            filter={filter}
            apply={(next) => set('filter', next)}
          />
        )}
        <ListTools kind={kind} address={address} hidden={hidden} />
      </div>
      {others.length > 0 && (
        <div class="chips">
          {others.map(([name, value]) => (
            <button key={name} type="button" class="chip" onClick={() => set(name, undefined)}>
              {texts.list.parameter(name, value)}
              <Icon name="close" />
              <span class="unseen">{texts.list.remove(name)}</span>
            </button>
          ))}
        </div>
      )}
    </header>
  );
}

type BodyProps<T extends { id: string }> = Omit<PartProps<T>, 'hidden'> & { children: ComponentChildren };

/** The list, or why there is none. */
function Body<T extends { id: string }>({ kind, address, pages, children }: BodyProps<T>) {
  const error = pages.error.value;
  const total = pages.total.value;
  if (error) return <Failed error={error} again={pages.refresh} />;
  if (total === undefined) return <Loading lines={9} />;
  if (total > 0) return children;
  const isFiltered = address.search.replace(/&?sort=\w+/, '') !== '';
  return isFiltered ? (
    <Empty icon="search" title={texts.list.nothing} hint={texts.list.nothingHint}>
      <button type="button" class="button" onClick={() => address.go({}, null)}>
        {texts.list.clear}
      </button>
    </Empty>
  ) : (
    <Empty icon={kind.icon} title={kind.words.empty} hint={kind.words.emptyHint}>
      {kind.start && (
        <Link href={kind.start.path} class="button main">
          {kind.start.label}
        </Link>
      )}
    </Empty>
  );
}
