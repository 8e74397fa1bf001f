/** Words contain letters and digits first, so that these marks keep the others apart from them. */
export const stemLexeme = (stem: string): string => `~${stem}`
export const idLexeme = (id: string): string => `#${id}`
export const metadataLexeme = (token: string): string => `=${token}`

/** A lexeme as PostgreSQL reads it in a tsvector or tsquery. */
export const lexeme = (name: string): string =>
  `'${name.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
