/** Shorter words differ by one letter from too many others. */
export const correctedCharsMin = 5
export const correctedCharsMax = 24

const lettersOnly = /^\p{L}+$/u

/** Whether typing errors are looked for. Not with digits: `H3K9` is not a mistyped `H3K4`. */
export function isCorrectable(word: string): boolean {
  const { length } = word
  return length >= correctedCharsMin && length <= correctedCharsMax && lettersOnly.test(word)
}

/**
 * Whether one typing error makes one word of the other: a letter too many, a missing letter, another letter, or two
 * neighbours swapped (an optimal string alignment distance of at most 1).
 */
export function isOneErrorApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let endA = a.length
  let endB = b.length
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)]
  if (restA.length <= 1 && restB.length <= 1) return true
  if (restA.length !== 2 || restB.length !== 2) return false
  return restA[0] === restB[1] && restA[1] === restB[0]
}

/**
 * Numbers of 32 bits for a word and for each word that it becomes without one letter. Two words that are one error
 * apart have one of these in common; the reverse need not be true.
 */
export function errorKeys(word: string): number[] {
  const keys = new Set([hash(word)])
  for (let at = 0; at < word.length; at++) keys.add(hash(word.slice(0, at) + word.slice(at + 1)))
  return [...keys]
}

/** FNV-1a over UTF-16 units. It is stored, so it must not change. */
function hash(word: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < word.length; at++) {
    value = Math.imul(value ^ word.charCodeAt(at), 0x01000193)
  }
  return value | 0
}
