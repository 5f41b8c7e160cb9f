export const keys = {
  title: 'Keyboard',
  open: 'Keyboard',
  list: [
    ['j', 'the next row; with a record open, the next record'],
    ['k', 'the previous row or record'],
    ['Enter', 'opens the record beside its list'],
    ['x', 'chooses the row for a change of many'],
    ['e', 'goes to the changes of the open or active record, or of the chosen ones'],
    ['a', 'assigns the record: to you, or by a choice'],
    ['z', 'undoes the last change, while its message is there'],
    ['/', 'goes to the filter, or to the search'],
    ['Ctrl K', 'finds a screen or a record; Cmd K on a Mac'],
    ['Escape', 'closes'],
    ['?', 'shows this list'],
  ],
} as const;
