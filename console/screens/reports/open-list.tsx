import { Redirect } from 'wouter-preact';
import { pageOf } from '../../shell/links.ts';

/** Reports link to lists of the API by their paths: the page of the list opens instead, and the first page for a list without a page. */
const OpenList = () => {
  const list = new URLSearchParams(location.search).get('list');
  const isOfApi = list?.startsWith('/api/') === true;
  return <Redirect to={(isOfApi && pageOf(list)) || '/'} replace />;
};

export const parts = { List: OpenList };
