/** How summaries and operation ids call a type of object. */
export type Noun = {
  /** With its article: `a figure`. */
  a: string
  /** `figures` */
  many: string
  /** In the id of an operation: `Figure`. */
  idPart: string
  /** `Figures` */
  idParts: string
}

/** `segment`: the path segment of the routes of the type. */
export function nounOf(segment: string): Noun {
  const one = segment === 'revision' ? 'figure revision' : segment.replaceAll('_', ' ')
  const idPart = segment.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return {
    a: `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`,
    many: pluralOf(one),
    idPart,
    idParts: pluralOf(idPart),
  }
}

const pluralOf = (one: string) => {
  if (one.toLowerCase() === 'analysis') return one.replace(/is$/, 'es')
  return one.endsWith('y') ? one.replace(/y$/, 'ies') : `${one}s`
}
