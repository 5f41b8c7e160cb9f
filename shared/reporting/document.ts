/**
 * Report as plain data: made once from the facts (shared/reporting/compose), frozen, and drawn by one writer per format
 * (shared/reporting/write). The same document gives the same bytes in each format.
 */
export type ReportDocument = {
  kind: string;
  title: string;
  /** The subject, below the title: "Organization Example, October 2026". */
  subtitle: string;
  language: 'en' | 'de' | 'fr';
  classification: string | null;
  brand: Brand;
  /** RFC 3339: the time of the facts. */
  asOf: string;
  sections: ReportSection[];
  /** Lines of the appendix on how the report was made: period, filter, hash of the facts ... */
  provenance: { label: string; text: string }[];
};

/** `logo` is a PNG in base64; colours are `#rrggbb`: of texts and links, and of bands, bars and lines. */
type Brand = { organization: string; logo: string | null; colour: string; accent: string; footer: string | null };

export type ReportSection = { id: string; title: string; appendix: boolean; startsPage: boolean; blocks: Block[] };

export type Block =
  | { block: 'verdict'; tone: Tone; label: string | null; text: string }
  | { block: 'text'; text: string }
  | { block: 'heading'; text: string; note: string }
  | { block: 'tiles'; tiles: Tile[] }
  | { block: 'decisions'; decisions: Decision[] }
  | { block: 'chart'; id: string; title: string; chart: Chart; text: string }
  | TableBlock;

export type Tone = 'better' | 'worse' | 'stable' | 'none';

/** A figure with its change. `link` opens the list that the figure counts; `spark` goes from old to new. */
export type Tile = {
  label: string;
  value: string;
  change: string | null;
  tone: Tone;
  spark: number[];
  link: string | null;
};

/** A decision that the readers are asked for. */
export type Decision = { text: string; owner: string | null; dueDate: string | null; link: string | null };

/** A table. CSV and XLSX have one file or sheet for each, with `values` as they are; pages show `rows`. */
export type TableBlock = {
  block: 'table';
  id: string;
  title: string;
  columns: Column[];
  rows: Cell[][];
  /** The sentence in place of an empty table. */
  empty: string;
  /** Rows that only the files of tables have: "10 of 312". */
  total: number;
};

/** `share` is that of the width. Pages show the value of a column with `under` in the cell of the column with this key, after its label. */
export type Column = { key: string; label: string; align: 'left' | 'right'; share: number; under?: string };

export type Cell = string | number | null | { text: string; link: string };

/** The kinds of charts. All series of a chart have as many values as it has labels; null is "not known". Bars of values below 0 go downward. */
export type Chart =
  | { chart: 'stacked-bars'; labels: string[]; series: Series[]; lines: Series[] }
  | { chart: 'lines'; labels: string[]; series: Series[] }
  | { chart: 'bars'; labels: string[]; values: number[]; links: (string | null)[] }
  | { chart: 'share'; parts: { label: string; value: number; colour: SeriesColour }[] };

export type Series = { label: string; colour: SeriesColour; values: (number | null)[] };

/** Names of colours; the writer knows their values in light, dark and print. */
export type SeriesColour = 'critical' | 'high' | 'medium' | 'low' | 'info' | 'brand' | 'good' | 'bad' | 'neutral';
