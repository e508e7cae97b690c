// What a page asks of the place where it is shown: list, read, write and close. A lone page has its data in itself.

export function bridgeOf(start) {
  return {
    canWrite: false,
    list: async () => [start.board.request],
    read: async () => start.board,
    write: async () => { throw new Error("This page writes nothing; copy the rows."); },
    close: async () => {},
  };
}
