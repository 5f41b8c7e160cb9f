/** The names of the fields of a table of fields whose `column` has this value. */
export type FieldsWhere<T, C extends PropertyKey, V> = {
  [K in keyof T]: T[K] extends Readonly<Record<C, V>> ? K : never;
}[keyof T];

/** The fields of a table of fields whose `column` has this value, in the order of the table. */
export const fieldsWhere = <T extends object, const C extends PropertyKey, const V>(fields: T, column: C, value: V) =>
  Object.entries(fields).flatMap(([name, life]) => (Reflect.get(life, column) === value ? [name] : [])) as FieldsWhere<
    T,
    C,
    V
  >[];

/** These fields of a record; an absent field is undefined. */
export const pick = <T extends object, K extends keyof T>(record: T, names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, record[name]])) as Pick<T, K>;
