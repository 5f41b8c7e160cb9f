/** The name of a document's root element, behind its declaration, comments and document type; undefined when it is no XML. */
export function xmlRoot(head: string): string | undefined {
  for (let at = head.indexOf('<'); at !== -1; at = head.indexOf('<', at + 1)) {
    if (head.startsWith('<!--', at)) at = endOf(head, '-->', at);
    else if (head.startsWith('<?', at)) at = endOf(head, '?>', at);
    else if (!head.startsWith('<!', at))
      return head.startsWith('<') ? NAME.exec(head.slice(at, at + 200))?.[1] : undefined;
  }
  return undefined;
}

const NAME = /^<([\w:.-]{1,150})[\s/>]/;

const endOf = (head: string, mark: string, from: number): number => {
  const end = head.indexOf(mark, from);
  return end === -1 ? head.length : end;
};
