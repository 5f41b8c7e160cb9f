// Every report format that is read, one a line. All else that knows the formats is derived from this list.
export { apex } from './apex/format.ts';
export { nmap } from './nmap/format.ts';
export { nuclei } from './nuclei/format.ts';
export { sarif } from './sarif/format.ts';
