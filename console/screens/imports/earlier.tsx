import { Link, useSearchParams } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { ImportedReport } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';
import { ImportDrawer } from './import-drawer.tsx';

const words = texts.imports;
const SHOWN = 50;

const useImports = question((search: string) => answerOf(client.GET('/api/v1/findings/imports', asTyped(search))));

/** The imports of everybody, newest first; the address says which. */
export function Earlier() {
  const [params, setParams] = useSearchParams();
  const open = params.get('open');
  const asked = new URLSearchParams(params);
  asked.delete('open');
  asked.set('paginateSize', String(SHOWN));
  const { data, error, ask } = useImports(asked.toString());
  const isHeld = params.get('held') === 'true';
  const set = (name: string, value: string | undefined) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value === undefined) next.delete(name);
      else next.set(name, value);
      return next;
    });
  return (
    <section>
      <h2>
        {words.earlier} {data && <span class="total">{texts.list.total(data.totalCount, words.one, words.many)}</span>}
      </h2>
      <label class="check">
        <input
          type="checkbox"
          checked={isHeld}
          onChange={({ currentTarget }) => set('held', currentTarget.checked ? 'true' : undefined)}
        />
        {words.heldOnly}
      </label>
      {error && <Failed error={error} again={ask} />}
      {!data && !error && <Loading />}
      {data?.totalCount === 0 && <p class="soft">{isHeld ? words.noneHeld : words.none}</p>}
      <ul class="lines">
        {data?.data.map((one) => (
          <Line key={one.id} one={one} />
        ))}
      </ul>
      {open && <ImportDrawer id={open} found={data?.data} close={() => set('open', undefined)} />}
    </section>
  );
}

const Line = ({
  one: { id, format, tools, target, error, counts, receivedAt, status, held },
}: {
  one: ImportedReport;
}) => (
  <li class="line">
    <span class="tag">{format}</span>
    <Link href={`/imports?open=${id}`} class="cut">
      {words.from(tools.join(', ') || format, target?.value)}
    </Link>
    <span class={error ? 'overdue' : 'soft'}>
      {error ? error.message : words.done(counts.created, counts.updated + counts.unchanged, counts.closed)}
    </span>
    {held && <span class="tag tag-kev">{words.held(held.count)}</span>}
    {status === 'undone' && <span class="tag">{words.undone}</span>}
    <span class="soft small">{agoOf(receivedAt)}</span>
  </li>
);
