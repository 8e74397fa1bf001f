export type Citation = {
  key: string
  author: string
  title: string
  /** ISO 8601. */
  date: string
  address: string
}

const special: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '%': '\\%',
  '#': '\\#',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

const escaped = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\{}$&%#_~^]/g, (char) => special[char] ?? char)

/** The entry of a citation for BibTeX. */
export function bibtex({ key, author, title, date, address }: Citation): string {
  const [year = '', month = ''] = date.split('-')
  return `@misc{${key},
  author = {${escaped(author)}},
  title = {${escaped(title)}},
  year = {${year}},
  month = {${month}},
  howpublished = {\\url{${address}}}
}`
}
