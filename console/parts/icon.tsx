/** Paths on a grid of 20, drawn by strokes. */
const PATHS = {
  home: 'M3 9.5 10 4l7 5.5M5 8.5V16h10V8.5',
  findings: 'M10 3.5 17 16H3Zm0 5v3.2m0 2.3v.1',
  vulnerabilities: 'M10 3 16 5.2v4.4c0 3.6-2.5 6-6 7.4-3.5-1.4-6-3.8-6-7.4V5.2Z',
  assets: 'M3.5 4.5h13v4h-13Zm0 7h13v4h-13ZM6.5 6.5h.1m-.1 7h.1',
  imports: 'M10 3.5v8m0 0 3.2-3.2M10 11.5 6.8 8.3M3.5 13v3.5h13V13',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4Zm3.7 8.7L16.5 16.5',
  close: 'm5 5 10 10M15 5 5 15',
  book: 'M4 4.5h5a1.5 1.5 0 0 1 1 .5 1.5 1.5 0 0 1 1-.5h5v11h-5a1.5 1.5 0 0 0-1 .5 1.5 1.5 0 0 0-1-.5H4ZM10 5v11',
  out: 'M8 4H4v12h4m-1-6h9.5m0 0-3-3m3 3-3 3',
  theme: 'M10 3.5a6.5 6.5 0 1 0 0 13Zm0 0a6.5 6.5 0 0 1 0 13',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  arrow: 'M4 10h12m0 0-4-4m4 4-4 4',
  code: 'm7 6-4 4 4 4m6-8 4 4-4 4',
  scanner: 'M4 7V4h3m6 0h3v3m0 6v3h-3m-6 0H4v-3m-.5-3h13',
  bookmark: 'M6 3.5h8v13l-4-3-4 3Z',
  pen: 'm4 16 .8-3.2L13 4.6 15.4 7l-8.2 8.2Z',
  more: 'M3.8 10a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0M9.3 10a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0M14.8 10a.7.7 0 1 0 1.4 0a.7.7 0 1 0-1.4 0',
  bell: 'M5 14V9a5 5 0 0 1 10 0v5l1 1H4ZM8.5 17h3',
  shield: 'M10 3 16 5.2v4.4c0 3.6-2.5 6-6 7.4-3.5-1.4-6-3.8-6-7.4V5.2ZM7.5 10l2 2 3.5-4',
  logs: 'M4 5h12M4 8.5h8M4 12h12M4 15.5h7',
  key: 'M12.5 4a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 10l-6 6m2.5-2.5L8 15',
  wrench: 'M12 4a4 4 0 0 0-3.6 5.6L4 14v2h2l4.4-4.4A4 4 0 0 0 16 8l-2.5 1.5-2-2L13 5Z',
  layers: 'm10 3.5 7 3.5-7 3.5L3 7Zm-7 7 7 3.5 7-3.5',
  calendar: 'M4 5h12v11H4Zm0 3.5h12M7 3v3m6-3v3',
  branch: 'M6 4v12m8-9.5a6 6 0 0 1-8 5M6 4h.1M14 5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z',
  target: 'M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm0 4a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  people: 'M10 4a2.8 2.8 0 1 0 0 5.6A2.8 2.8 0 0 0 10 4ZM4 16.5c.6-3 2.8-4.6 6-4.6s5.4 1.6 6 4.6',
  clipboard: 'M7 5H5v11.5h10V5h-2M7 3.5h6v3H7Zm0 7.5 2 2 4-4',
  plug: 'M7 3.5v4m6-4v4M5 7.5h10v3a5 5 0 0 1-10 0Zm5 8v2',
  ticket: 'M3.5 6h13v2.5a1.5 1.5 0 0 0 0 3V14h-13v-2.5a1.5 1.5 0 0 0 0-3Zm8 0v8',
  sliders: 'M4 6h6m4 0h2M4 10h2m4 0h6M4 14h8m4 0h.1M12 4.5v3M8 8.5v3m6 1v3',
  settings: 'M4 6h6m4 0h2M4 14h2m4 0h6M12 4v4M8 12v4',
  keyboard: 'M3 5.5h14v9H3Zm3 3h.1m2.6 0h.1m2.6 0h.1m2.6 0h.1M7 12h6',
  undo: 'M4 8h8a4 4 0 0 1 0 8H8M4 8l3-3M4 8l3 3',
};
export type IconName = keyof typeof PATHS;

/** A drawing beside a text that says the same: readers of screens skip it. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
