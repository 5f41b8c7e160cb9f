import * as z from 'zod';
import { objectNamed } from './records.ts';

/** The path of the list of exactly the records that a figure counts; null: no list shows them. */
export type Place = string | null;

type Counters = Readonly<Record<string, number>>;
type Other = readonly unknown[] | string | boolean | null;

/** The names of figures, and of objects of figures that have no links of their own. */
type Figures<F> = {
  [K in keyof F]-?: F[K] extends number | null ? K : F[K] extends Other | { links: unknown } ? never : K;
}[keyof F];

/** A place for each figure of an answer: the compiler asks for the place of a new figure. */
type ListsOf<F> = {
  [K in Figures<F>]: F[K] extends number | null
    ? Place
    : NonNullable<F[K]> extends Counters
      ? (name: string & keyof NonNullable<F[K]>) => Place
      : ListsOf<NonNullable<F[K]>>;
};

const FigureLinks = objectNamed('FigureLinks', {
  list: z.record(z.string(), z.string()).meta({
    id: 'FigureLists',
    description:
      'for each figure beside it the path of the list of the counted records, whose `totalCount` is the figure; the name of a ' +
      'figure within an object follows a point; figures that no list shows are left out',
    example: { 'openBySeverity.critical': '/api/v1/findings?filter=status%3Aopen%2Cin_progress%20severity%3Acritical' },
  }),
});

/** A member of each answer with figures. */
export const figureLinks = { links: FigureLinks };
type Linked = { links: z.infer<typeof FigureLinks> };

export const withLists = <F extends object>(figures: F, lists: ListsOf<F>): F & Linked => ({
  ...figures,
  links: { list: Object.fromEntries(placesOf(figures, lists, '')) },
});

function placesOf(figures: object, lists: object, path: string): (readonly [string, string])[] {
  return Object.entries(lists).flatMap(([name, place]: [string, unknown]) => {
    const at = path + name;
    if (typeof place === 'string') return [[at, place] as const];
    if (place === null) return [];
    const inner: object | null = Reflect.get(figures, name);
    if (inner === null) return [];
    if (typeof place !== 'function') return placesOf(inner, Object(place), `${at}.`);
    return Object.keys(inner).flatMap((key) => {
      const found: unknown = place(key);
      return typeof found === 'string' ? [[`${at}.${key}`, found] as const] : [];
    });
  });
}

/** A list with parameters. */
export const listed = (path: string, parameters: Readonly<Record<string, string>>): string =>
  `${path}?${Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

/** A list of the records that fit a filter. */
export const filtered = (path: string) => (filter: string) => listed(path, { filter });
