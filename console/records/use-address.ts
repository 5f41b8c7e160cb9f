import { useSearchParams } from 'wouter-preact';

/** The record in the drawer. All other parameters of the address are those of the list in the API. */
const OPEN = 'open';
const SHOWN_ELSEWHERE = [OPEN, 'filter', 'sort'];

/** The state of a page of records, which is its address: a copied address shows the same. */
export function useAddress() {
  const [params, setParams] = useSearchParams();
  const of = (change: (next: URLSearchParams) => void) => (before: URLSearchParams) => {
    const next = new URLSearchParams(before);
    change(next);
    return next;
  };
  const set = (name: string, value: string | undefined, replace = false) =>
    setParams(
      of((next) => (value ? next.set(name, value) : next.delete(name))),
      { replace },
    );
  const search = of((next) => next.delete(OPEN))(params);
  return {
    search: search.toString(),
    filter: params.get('filter') ?? '',
    sort: params.get('sort') ?? 'newest',
    open: params.get(OPEN) ?? undefined,
    others: [...params].filter(([name]) => !SHOWN_ELSEWHERE.includes(name)),
    set,
    valueOf: (name: string) => params.get(name) ?? '',
    /** Another list of the same page. */
    go: (parameters: Record<string, string>, order: string | null) =>
      setParams(new URLSearchParams({ ...parameters, ...(order && { sort: order }) })),
    /** Another record in the drawer is no step of the history. */
    show: (id: string | undefined) => set(OPEN, id, params.has(OPEN) && id !== undefined),
  };
}

export type Address = ReturnType<typeof useAddress>;
