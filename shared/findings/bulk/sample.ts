import { Finding } from '../finding/finding.ts';
import type { FindingRow } from '../view/view.ts';
import { previewOf } from './preview.ts';

export const Preview = previewOf(Finding.pick({ id: true, title: true, location: true, status: true })).meta({
  id: 'FindingsPreview',
});

export const sampleOf = ({ id, title, location, status }: FindingRow) => ({ id, title, location, status });
