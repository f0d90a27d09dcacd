/** The condition that a row is the owner's, by that column; null: whoever's it is. */
export const isOf = (owner: string | null, column = 'owner'): string =>
  owner === null ? 'true' : `${column} = @owner`;
