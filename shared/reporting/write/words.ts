import type { ReportDocument } from '../document.ts';

export type Language = ReportDocument['language'];

/** The texts that the layout itself adds to a report. */
export const WORDS = {
  en: {
    asOf: (time: string) => `Facts as of ${time} (UTC)`,
    page: (page: number, of: number) => `${page} / ${of}`,
    owner: (owner: string | null) => (owner ? `Owner: ${owner}` : 'No owner named'),
    due: (date: string | null) => (date ? `Due: ${date}` : 'No date set'),
    empty: 'No values in this period',
    rows: (shown: string, total: string) => `${shown} of ${total} rows; the CSV and XLSX files have all of them`,
    appendix: 'Appendix',
    provenance: 'How this report was made',
    contents: 'Contents',
    values: 'Figures of the chart',
    chartIn: (title: string) => `Chart: ${title}`,
  },
  de: {
    asOf: (time: string) => `Stand der Daten: ${time} (UTC)`,
    page: (page: number, of: number) => `${page} / ${of}`,
    owner: (owner: string | null) => (owner ? `Verantwortlich: ${owner}` : 'Niemand ist verantwortlich'),
    due: (date: string | null) => (date ? `Fällig: ${date}` : 'Kein Termin'),
    empty: 'Keine Werte in diesem Zeitraum',
    rows: (shown: string, total: string) => `${shown} von ${total} Zeilen; die CSV- und XLSX-Dateien enthalten alle`,
    appendix: 'Anhang',
    provenance: 'Wie dieser Bericht entstanden ist',
    contents: 'Inhalt',
    values: 'Werte des Diagramms',
    chartIn: (title: string) => `Diagramm: ${title}`,
  },
  fr: {
    asOf: (time: string) => `Données au ${time} (UTC)`,
    page: (page: number, of: number) => `${page} / ${of}`,
    owner: (owner: string | null) => (owner ? `Responsable : ${owner}` : 'Aucun responsable désigné'),
    due: (date: string | null) => (date ? `Échéance : ${date}` : 'Aucune date fixée'),
    empty: 'Aucune valeur pour cette période',
    rows: (shown: string, total: string) =>
      `${shown} lignes sur ${total} ; les fichiers CSV et XLSX les contiennent toutes`,
    appendix: 'Annexe',
    provenance: 'Comment ce rapport a été établi',
    contents: 'Sommaire',
    values: 'Valeurs du graphique',
    chartIn: (title: string) => `Graphique : ${title}`,
  },
} as const;
