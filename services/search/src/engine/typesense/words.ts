import { fold, latinNames } from '../../text/fold.js'
import { formOf, type Part } from '../../text/split-word.js'
import { joined, type Token, tokenize } from '../../text/tokenize.js'

/** The one spelling of a form, on both sides of a search: letters and digits, without Greek letters. */
export const canonical = (form: string): string => formOf(joined(latinNames(form)))

/** Keeps stems apart from words. Typesense drops other marks than letters and digits. */
export const stemWord = (stem: string): string => `0stem${stem}`

/** What Typesense indexes of a text: words with one space between them. */
export type IndexedWords = {
  /** The parts of the words in their order, so that a word is found as a phrase of its parts. */
  parts: string
  /** Each once: joined words (`il6` of `IL-6`) and their ends, other spellings, stems. */
  forms: string
}

/** Takes linear time. The words after the first `wordsMax` are not found. */
export function indexedWords(text: string, wordsMax: number): IndexedWords {
  const parts: string[] = []
  const forms = new Set<string>()
  for (const token of tokenize(text, wordsMax)) {
    const written = token.parts.map(canonicalPart)
    parts.push(...written)
    for (const form of otherForms(token, written)) forms.add(form)
  }
  return { parts: parts.filter(Boolean).join(' '), forms: [...forms].filter(Boolean).join(' ') }
}

export const canonicalPart = ({ forms }: Pick<Part, 'forms'>): string => canonical(forms[0] ?? '')

function* otherForms({ whole, parts }: Token, written: string[]): Generator<string> {
  if (whole.length > 0 && parts.length > 1) {
    yield canonical(whole[0] ?? '')
    for (let at = 1; at < written.length - 1; at++) yield formOf(written.slice(at).join(''))
  }
  for (const [at, { forms, stem }] of parts.entries()) {
    if (stem) yield stemWord(stem)
    for (const form of forms) {
      const other = canonical(form)
      if (other !== written[at]) yield other
    }
    // A single character of a script without spaces.
    if (whole.length === 0) yield (written[at]?.match(/^.\p{M}*/u) ?? [''])[0]
  }
}

/** Ids are found as a whole. */
export const indexedIds = (text: string, wordsMax: number): string =>
  text
    .split(/\s+/, wordsMax)
    .map((id) => canonical(fold(id)))
    .filter(Boolean)
    .join(' ')
