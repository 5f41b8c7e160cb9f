import type { ComponentChildren, ComponentType } from 'preact';
import { Link, useRoute } from 'wouter-preact';
import type { Refused } from '../api/client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { texts } from '../texts.ts';
import type { DrawerProps } from './kind.ts';

type Asked<T> = { data?: T; error?: Refused; ask: () => void; put: (record: T) => void };
export type PartProps<T> = { record: T; put: (record: T) => void; changed: () => void };

/** A record by itself, once for the drawer beside its list and for its page, which has more sections at its side. */
export type Detail<T> = {
  title: string;
  path: string;
  useRecord: (id: string) => Asked<T>;
  titleOf: (record: T) => string;
  Marks: ComponentType<{ record: T }>;
  Sections: ComponentType<PartProps<T>>;
  Side?: ComponentType<PartProps<T>>;
};

const nothing = (): void => undefined;

export function drawerOf<T>({ title, path, useRecord, titleOf, Marks, Sections }: Detail<T>) {
  return function Drawer({ id, close, changed }: DrawerProps) {
    const { data: record, error, ask, put } = useRecord(id);
    return (
      <Dialog kind="drawer" title={record ? titleOf(record) : title} close={close}>
        <Answered record={record} error={error} ask={ask}>
          {(known) => (
            <div key={id} class="drawer-content">
              <div class="drawer-marks">
                <Marks record={known} />
                <Link href={`${path}/${id}`} class="open-page">
                  {texts.detail.open}
                </Link>
              </div>
              <Sections record={known} put={put} changed={changed} />
            </div>
          )}
        </Answered>
      </Dialog>
    );
  };
}

export function pageOf<T>({ title, path, useRecord, titleOf, Marks, Sections, Side }: Detail<T>) {
  return function Page() {
    const [, parameters] = useRoute<{ id: string }>(`${path}/:id`);
    const id = parameters?.id ?? '';
    const { data: record, error, ask, put } = useRecord(id);
    return (
      <article class="page record-page">
        <nav class="crumbs" aria-label={texts.detail.crumbs}>
          <Link href={path}>{title}</Link>
        </nav>
        <h1>{record ? titleOf(record) : title}</h1>
        <Answered record={record} error={error} ask={ask}>
          {(known) => (
            <>
              <div class="drawer-marks">
                <Marks record={known} />
              </div>
              <div class={Side ? 'record-columns' : ''}>
                <div class="record-card">
                  <h2 class="unseen">{texts.detail.record}</h2>
                  <Sections record={known} put={put} changed={nothing} />
                </div>
                {Side && (
                  <div class="record-card">
                    <h2 class="unseen">{texts.detail.side}</h2>
                    <Side record={known} put={put} changed={nothing} />
                  </div>
                )}
              </div>
            </>
          )}
        </Answered>
      </article>
    );
  };
}

type AnsweredProps<T> = {
  record: T | undefined;
  error: Refused | undefined;
  ask: () => void;
  children: (record: T) => ComponentChildren;
};

const Answered = <T,>({ record, error, ask, children }: AnsweredProps<T>) => {
  if (record !== undefined) return <>{children(record)}</>;
  return error ? <Failed error={error} again={ask} /> : <Loading lines={8} />;
};
