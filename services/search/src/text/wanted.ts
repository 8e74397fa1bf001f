import type { Term, TextQuery } from './query.js'
import type { Part } from './split-word.js'
import { joined, type Token, tokenize } from './tokenize.js'

/** What a part of a word may be, from the best match to the worst. */
export type WantedPart = {
  forms: string[]
  /** Empty in phrases. */
  stem: string
  /** Not in phrases. */
  mayBeMistyped: boolean
  /** Words that differ from it by one typing error. */
  corrections: string[]
  /** Words that begin with it match, too. */
  isPrefix: boolean
}

/** A word that must be found: as a whole, or as its parts one after the other. */
export type WantedWord = {
  whole: string[]
  /** Words that begin with the whole match, too. */
  isPrefix: boolean
  /** The only spelling of an id; empty if it is too short for one. */
  id: string
  parts: WantedPart[]
}

/** The words of each term. A phrase is one long word. */
export type Wanted = { terms: WantedWord[][]; without: WantedWord[][] }

/** The words to take for a mistyped one. */
export type Corrections = Map<string, string[]>

/** Shorter ones begin too many words. */
const prefixCharsMin = 3
/** Of one term. */
const wordsMax = 64
/** The short id of a revision has at least 9 characters. */
export const idCharsMin = 9
/** As git shortens a hash, which has no parts. */
const hashBeginning = /^(?=.*\d)(?=.*[a-f])[\da-f]{7,}$/
const unspacedCharacter = /^[\p{Lo}ー々]$/u

/** What to look for. The last term may still be typed, so words that begin with it match, too. */
export function wantedOf(query: TextQuery, corrections: Corrections = new Map()): Wanted {
  const last = query.terms.at(-1)
  const termOf = (term: Term, isTyped: boolean) => {
    const tokens = [...tokenize(term.text, wordsMax, true)]
    if (term.isQuoted) return phraseOf(tokens)
    return tokens.map((token, at) =>
      wordOf(token, isTyped && at === tokens.length - 1, corrections),
    )
  }
  return {
    terms: query.terms.map((term) => termOf(term, term === last)).filter(hasWords),
    without: query.without.map((term) => phraseOf(tokensOf(term))).filter(hasWords),
  }
}

const tokensOf = (term: Term) => [...tokenize(term.text, wordsMax, true)]
const hasWords = (words: WantedWord[]) => words.length > 0

function wordOf(token: Token, isPrefix: boolean, corrections: Corrections): WantedWord {
  const parts = token.parts.map((part, at) => ({
    forms: part.forms,
    stem: part.stem ?? '',
    mayBeMistyped: true,
    corrections: part.forms.flatMap((form) => corrections.get(form) ?? []),
    isPrefix: isPrefix && at === token.parts.length - 1 && mayBePrefix(part.forms[0] ?? ''),
  }))
  const mayBeHash = isPrefix && hashBeginning.test(token.whole[0] ?? '')
  return {
    whole: token.whole,
    isPrefix: mayBeHash || (parts.at(-1)?.isPrefix ?? false),
    id: idOf(token),
    parts,
  }
}

const mayBePrefix = (form: string) => form.length >= prefixCharsMin || unspacedCharacter.test(form)

/** As written: neither stems nor prefixes. */
function phraseOf(tokens: Token[]): WantedWord[] {
  const parts = tokens.flatMap((token) => token.parts.map(exactly))
  const [only, ...others] = tokens
  if (only && others.length === 0)
    return [{ whole: only.whole, isPrefix: false, id: idOf(only), parts }]
  return parts.length > 0 ? [{ whole: [], isPrefix: false, id: '', parts }] : []
}

const exactly = ({ forms }: Part): WantedPart => ({
  forms,
  stem: '',
  mayBeMistyped: false,
  corrections: [],
  isPrefix: unspacedCharacter.test(forms[0] ?? ''),
})

function idOf({ whole }: Token): string {
  const id = joined(whole[0] ?? '')
  return id.length >= idCharsMin ? id : ''
}
