import type { ComponentChildren } from 'preact';

export type TableColumn<T> = { label: string; cell: (row: T) => ComponentChildren };

type TableProps<T> = {
  caption: string;
  columns: readonly TableColumn<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
};

/** A short list as a table; on a phone each row is a card. Lists of any length are `records/`. */
export const Table = <T,>({ caption, columns, rows, keyOf }: TableProps<T>) => (
  <table class="table">
    <caption class="unseen">{caption}</caption>
    <thead>
      <tr>
        {columns.map(({ label }) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)}>
          {columns.map(({ label, cell }) => (
            <td key={label} data-label={label}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
